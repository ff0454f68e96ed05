import type { Disposable } from '../../base/lifecycle.ts';
import type { NamedDelivery } from './keptAgain.ts';
import type { Place } from './listeningState.ts';

export type Arrived =
	| { readonly kind: 'delivery'; readonly delivery: ArrivedDelivery }
	/** More deliveries than the buffer holds. */
	| { readonly kind: 'many'; readonly path: string };

export interface ArrivedDelivery {
	readonly path: string;
	readonly event: string;
	readonly body: Uint8Array;
}

/** The interface of `src/machine/listener`. */
export interface OpenedListener extends Disposable {
	readonly port: number;
}

export interface OpenListenerOptions extends Place {
	/** Additional allowed host names; the same array until they change. */
	readonly hosts: () => readonly string[];
	/** `undefined` for an unknown path; `publicKey` when deliveries must be signed. */
	readonly hookAt: (path: string) => { readonly publicKey: string | undefined } | undefined;
	/** Response to a probe with an unknown host name. */
	readonly misnamed: (path: string, host: string) => string | undefined;
	/** Response text, printed to the pusher. */
	readonly answer: (delivery: ArrivedDelivery) => string | undefined;
	/** True when the user requested this repeat. */
	readonly isAskedAgain: (delivery: NamedDelivery) => boolean;
	readonly received: (arrived: Arrived) => void;
	/** A delivery with a bad signature. */
	readonly forged: (path: string) => void;
}

export type OpenedOrNot =
	| { readonly kind: 'open'; readonly listener: OpenedListener }
	| { readonly kind: 'portTaken' }
	| { readonly kind: 'placeRefused'; readonly code: string };
