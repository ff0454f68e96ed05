/** Whether deliveries are taken in. */
export type ListeningState =
	| { readonly kind: 'off' }
	/** It is wanted, and there is no account whose forge could send any. */
	| { readonly kind: 'noAccount' }
	/** Another window listens for all of them, or is about to. The port is 0 where nobody has listened yet. */
	| { readonly kind: 'elsewhere'; readonly place: Place }
	| { readonly kind: 'opening'; readonly place: Place }
	| { readonly kind: 'open'; readonly place: Place }
	/** Another program listens there; it is tried again. */
	| { readonly kind: 'portTaken'; readonly place: Place }
	/** There is no such address on this machine, or the port is not for everybody. `code`: the system's own. */
	| { readonly kind: 'placeRefused'; readonly place: Place; readonly code: string };

/** Where is listened. */
export interface Place {
	readonly port: number;
	readonly address: string;
}

/** Another window is about to choose a port for the first time. */
export function isChoosingPort(state: ListeningState): boolean {
	return state.kind === 'elsewhere' && state.place.port === 0;
}
