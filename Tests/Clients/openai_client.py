"""Asks a language model in each way that the library has, and prints what comes."""

import sys

import openai

client = openai.OpenAI()
ask = {"model": "gpt-5-mini"}
messages = [{"role": "user", "content": "Order one of 7."}]


def tried(call):
    try:
        call()
    except openai.OpenAIError as error:
        print(f"{type(error).__name__}: {error}".splitlines()[0], flush=True)


def show(text, calls, end, tokens):
    names = [] if calls is None else [f" [{', '.join(f'{name} {given}' for name, given in calls)}]"]
    print(text + "".join(names) + f" ({end}, {tokens} tokens)", flush=True)


def whole():
    answer = client.chat.completions.create(messages=messages, **ask)
    choice = answer.choices[0]
    show(choice.message.content, None, choice.finish_reason, answer.usage.total_tokens)


def streamed():
    text, calls, end, tokens = "", {}, None, 0
    options = {"stream": True, "stream_options": {"include_usage": True}}
    for chunk in client.chat.completions.create(messages=messages, **ask, **options):
        tokens = chunk.usage.total_tokens if chunk.usage else tokens
        for choice in chunk.choices:
            end = choice.finish_reason or end
            text += choice.delta.content or ""
            for call in choice.delta.tool_calls or []:
                known = calls.setdefault(call.index, {"id": call.id, "name": "", "given": ""})
                known["name"] += call.function.name or ""
                known["given"] += call.function.arguments or ""
    show(text, [(call["name"], call["given"]) for call in calls.values()], end, tokens)
    return list(calls.values())


def chat():
    print(client.models.list().data[0].id, flush=True)
    whole()
    streamed()
    messages.append({"role": "user", "content": "Now."})
    calls = streamed()
    messages.append({"role": "assistant", "content": None, "tool_calls": [
        {"id": call["id"], "type": "function",
         "function": {"name": call["name"], "arguments": call["given"]}} for call in calls]})
    tried(whole)
    messages.extend({"role": "tool", "tool_call_id": call["id"], "content": "done"} for call in calls)
    tried(streamed)
    tried(streamed)
    streamed()
    whole()


def responses():
    given = list(messages)

    def one():
        answer = client.responses.create(input=given, **ask)
        display(answer)

    def display(answer):
        calls = [(item.name, item.arguments) for item in answer.output if item.type == "function_call"]
        show(answer.output_text, calls, answer.status, answer.usage.total_tokens)
        return answer.output

    def stream():
        with client.responses.stream(input=given, **ask) as events:
            for event in events:
                if event.type == "error":
                    raise openai.APIError(event.message, None, body=None)
            return display(events.get_final_response())

    one()
    given.append({"role": "user", "content": "Now."})
    output = stream()
    given.extend(item.model_dump() for item in output)
    tried(one)
    given.extend({"type": "function_call_output", "call_id": item.call_id, "output": "done"}
                 for item in output if item.type == "function_call")
    tried(stream)
    one()


{"chat": chat, "responses": responses}[sys.argv[1]]()
