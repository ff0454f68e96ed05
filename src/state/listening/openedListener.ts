import type { Disposable } from '../../base/lifecycle.ts';
import type { NamedDelivery } from './keptAgain.ts';
import type { Place } from './listeningState.ts';

/** What came to a hook. */
export type Arrived =
	| { readonly kind: 'delivery'; readonly delivery: ArrivedDelivery }
	/** More than could be kept. */
	| { readonly kind: 'many'; readonly path: string };

export interface ArrivedDelivery {
	readonly path: string;
	readonly event: string;
	readonly body: Uint8Array;
}

/** A listener as the room `listener` has it. */
export interface OpenedListener extends Disposable {
	readonly port: number;
}

export interface OpenListenerOptions extends Place {
	/** Other names under which it may be called: the same array until they change. */
	readonly hosts: () => readonly string[];
	/** `undefined` where nothing is delivered to; `publicKey` where the deliveries have to be signed. */
	readonly hookAt: (path: string) => { readonly publicKey: string | undefined } | undefined;
	/** What is answered to a call of our own that came by a name that is none of the listener's. */
	readonly misnamed: (path: string, host: string) => string | undefined;
	/** What is printed to whoever waits for the answer. */
	readonly answer: (delivery: ArrivedDelivery) => string | undefined;
	/** Whether somebody had it sent again, though it came before. */
	readonly isAskedAgain: (delivery: NamedDelivery) => boolean;
	readonly received: (arrived: Arrived) => void;
	/** Something came to the path that is not signed with its key. */
	readonly forged: (path: string) => void;
}

/** What opening comes to. */
export type OpenedOrNot =
	| { readonly kind: 'open'; readonly listener: OpenedListener }
	| { readonly kind: 'portTaken' }
	| { readonly kind: 'placeRefused'; readonly code: string };
