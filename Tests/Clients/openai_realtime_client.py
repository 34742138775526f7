"""Talks in a realtime session in each way that the library has, and prints what comes."""

import base64
import sys

import openai

client = openai.OpenAI()


def listen(connection, until):
    """Prints the types of all events up to this one, those in a row once, and returns the last event."""
    seen = []
    for event in connection:
        name = type(event).__name__
        assert name != "BaseModel" and name != "dict", event
        if seen[-1:] != [event.type]:
            seen.append(event.type)
        if event.type == until:
            print(*[name.replace("conversation.", "c.").replace("response.", "r.") for name in seen], flush=True)
            return event


def text(connection):
    listen(connection, "session.created")
    connection.session.update(session={"type": "realtime", "output_modalities": ["text"],
                                       "audio": {"input": {"turn_detection": None}}})
    print(listen(connection, "session.updated").session.output_modalities)
    say(connection, "Hi")
    connection.response.create()
    done = listen(connection, "response.done").response
    print(done.status, done.output[0].content[0].text, done.usage.total_tokens)
    say(connection, "Order one of 7.")
    connection.response.create()
    call = listen(connection, "response.done").response.output[-1]
    print(call.name, call.arguments)
    for id in ["other", call.call_id]:
        connection.conversation.item.create(
            item={"type": "function_call_output", "call_id": id, "output": "done"})
    print(listen(connection, "error").error.code)
    connection.response.create()
    done = listen(connection, "response.done").response
    print(done.status, done.status_details.error.code)
    connection.response.create()
    listen(connection, "response.output_text.delta")
    connection.response.create()
    connection.response.cancel()
    print(listen(connection, "error").error.message)
    done = listen(connection, "response.done").response
    print(done.status, done.status_details.reason)
    connection.response.cancel()
    print(listen(connection, "error").error.code)
    connection.input_audio_buffer.commit()
    print(listen(connection, "error").error.code)
    connection.conversation.item.delete(item_id="none")
    print(listen(connection, "error").error.code)


def say(connection, text):
    connection.conversation.item.create(
        item={"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]})
    return listen(connection, "conversation.item.done").item


def voice(connection):
    connection.session.update(session={"type": "realtime", "audio": {"input": {"transcription": {"model": "whisper-1"}}}})
    listen(connection, "session.updated")
    for _ in range(3):
        connection.input_audio_buffer.append(audio=base64.b64encode(bytes(480)).decode())
    print(listen(connection, "conversation.item.input_audio_transcription.completed").transcript)
    done = listen(connection, "response.done").response
    print(done.output[0].content[0].transcript)
    connection.response.create()
    print(listen(connection, "response.output_audio.delta").delta, flush=True)
    listen(connection, "response.done")


with client.realtime.connect(model="gpt-realtime", max_retries=0) as connection:
    try:
        {"text": text, "voice": voice}[sys.argv[1]](connection)
    except Exception as error:
        print(type(error).__name__, flush=True)
