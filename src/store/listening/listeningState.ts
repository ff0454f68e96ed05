export type ListeningState =
	| { readonly kind: 'off' }
	/** Enabled, but no signed-in forge can send webhooks. */
	| { readonly kind: 'noAccount' }
	/** Another window listens or is about to. Port 0: never chosen. */
	| { readonly kind: 'elsewhere'; readonly place: Place }
	| { readonly kind: 'opening'; readonly place: Place }
	| { readonly kind: 'open'; readonly place: Place }
	/** Another program uses the port; retries. */
	| { readonly kind: 'portTaken'; readonly place: Place }
	/** The address doesn't exist on this machine, or the port is privileged. `code`: the system's error code. */
	| { readonly kind: 'placeRefused'; readonly place: Place; readonly code: string };

export interface Place {
	readonly port: number;
	readonly address: string;
}

/** Another window is choosing the port for the first time. */
export function isChoosingPort(state: ListeningState): boolean {
	return state.kind === 'elsewhere' && state.place.port === 0;
}
