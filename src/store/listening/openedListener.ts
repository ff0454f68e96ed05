import type { Disposable } from '@forge-desk/base/lifecycle.ts';

export interface ListenAddress {
	/** 0 for any free port. */
	readonly port: number;
	/** An address of this machine, as `127.0.0.1`. */
	readonly address: string;
}

/** A received webhook delivery. Only its path identifies the webhook. */
export interface Delivery {
	readonly path: string;
	/** Name of the event, as `ticket:create` or `TICKET_CREATED`. No signature covers it. */
	readonly event: string;
	/** The forge's id. Redelivery keeps it, and other hooks may share it. No signature covers it. */
	readonly id: string;
	/** Unparsed and untrusted. A forge may have truncated it (docs/protocol.md#deliveries). */
	readonly body: Uint8Array;
}

export type Arrival =
	| { readonly kind: 'delivery'; readonly delivery: Delivery }
	/** The queue dropped deliveries of this hook, so all its resources may be stale. */
	| { readonly kind: 'many'; readonly path: string };

/** The program's side of `src/machine/listener`. */
export interface ListenerOptions extends ListenAddress {
	/** Additional valid host names, such as a tunnel's. Called per request; the same array until they change. */
	readonly hosts: () => readonly string[];
	/** `undefined` for an unknown path. With a `publicKey`, deliveries must be signed. Called per request. */
	readonly hookAt: (path: string) => { readonly publicKey: string | undefined } | undefined;
	/**
	 * Response to a request at this path under an unknown host name; `undefined` to reject it normally. Only for a path
	 * that nobody else knows.
	 */
	readonly misnamed: (path: string, host: string) => string | undefined;
	/** Response text for a request at this path; `undefined` for a delivery. */
	readonly answer: (path: string) => string | undefined;
	/** Called with one arrival at a time, after its response was sent or its connection closed. */
	readonly received: (arrival: Arrival) => void | Promise<void>;
	/** Called for a delivery with a wrong or missing signature at a hook's path. */
	readonly forged: (path: string) => void;
}

/** Disposing it closes every connection immediately and stops all arrivals. */
export interface Listener extends Disposable {
	readonly port: number;
}

/** Result of opening a listener. */
export type Opening =
	| { readonly kind: 'open'; readonly listener: Listener }
	/** Another process uses the port; perhaps another window. */
	| { readonly kind: 'portTaken' }
	/** The machine doesn't have the address, or the port needs privileges. `code`: the system's code, as `EACCES`. */
	| { readonly kind: 'placeRefused'; readonly code: string };
