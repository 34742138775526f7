/** The program is not installed, or does not run on this machine. */
export class ProgramMissing extends Error {}
/** The scenario of a mock, or of a case, did not hold. The message is what the terminal shows. */
export class ScenarioFailed extends Error {}
/** A command that a mock did not carry out. The message says why. */
export class Refused extends Error {}

export interface Endpoint {
  name: string;
  url: string;
  port: number;
  webSocket?: string;
  streams: ("sse" | "ndjson" | "websocket")[];
  send(value?: unknown, options?: SendOptions): Promise<void>;
}
export interface Event {
  kind: string;
  source?: string;
  connection?: number;
  from?: "client" | "server";
  us?: number;
  value?: any;
  [member: string]: unknown;
}
export interface SendOptions {
  to?: "all" | "last" | number;
  wait?: number;
  event?: unknown;
  message?: unknown;
  bytes?: string | { hex: string };
  close?: true | { code?: number; reason?: string };
  pings?: "answer" | "ignore";
  act?: "drop" | "reset" | "stall" | "halfClose" | "stop" | "start" | "restart";
}
export interface Mock {
  readonly endpoints: Record<string, Endpoint>;
  readonly events: Event[];
  waitFor(condition: (event: Event) => boolean, milliseconds?: number): Promise<Event>;
  send(endpoint: string, value?: unknown, options?: SendOptions): Promise<void>;
  disturb(name: string): Promise<void>;
  judge(): Promise<void>;
  readonly [endpoint: string]: any;
}
export interface ServeOptions {
  variables?: Record<string, unknown>;
  disturb?: string | string[];
  options?: string[];
  within?: string;
  cwd?: string;
}
export function serve(file: string | URL, options?: ServeOptions): Promise<Mock>;
export function serve<T>(file: string | URL, body: (mock: Mock) => T | Promise<T>): Promise<T>;
export function serve<T>(
  file: string | URL, options: ServeOptions, body: (mock: Mock) => T | Promise<T>,
): Promise<T>;
export function describeScenarios(
  paths: string | URL | (string | URL)[],
  settings?: {
    describe?: Function; it?: Function; test?: Function; tags?: string | string[];
    options?: string[]; cwd?: string;
  },
): void;
/** The path of the program. */
export function program(): string;
