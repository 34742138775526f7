"""Asks a language model in each way that the library has, and prints what comes."""

import anthropic

client = anthropic.Anthropic()
ask = {"model": "claude-test", "max_tokens": 100}
messages = [{"role": "user", "content": "Order one of 7."}]


def tried(call):
    try:
        return call()
    except Exception as error:  # some are of the library below
        print(f"{type(error).__name__}: {error}", flush=True)


def show(message):
    parts = [
        block.text if block.type == "text"
        else f"({block.thinking})" if block.type == "thinking"
        else f"[{block.name} {block.input}]"
        for block in message.content]
    print(*parts, message.stop_reason, message.usage.output_tokens, flush=True)
    return message


def whole():
    return show(client.messages.create(messages=messages, **ask))


def streamed():
    with client.messages.stream(messages=messages, **ask) as stream:
        for _ in stream:
            pass
        return show(stream.get_final_message())


whole()
streamed()
messages.append({"role": "user", "content": "Now."})
answer = streamed()
messages.append({"role": "assistant", "content": [block.model_dump() for block in answer.content]})
tried(whole)
messages.append({"role": "user", "content": [
    {"type": "tool_result", "tool_use_id": block.id, "content": "done"}
    for block in answer.content if block.type == "tool_use"]})
tried(streamed)
tried(streamed)
whole()
