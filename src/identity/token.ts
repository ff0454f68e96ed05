const shown = '[token]';

/**
 * A secret that a forge or a user gave us: an access token or a client secret. However it is printed, logged or
 * serialised, it shows as `[token]`; only `reveal` hands it out.
 */
export class Token {
	readonly #value: string;

	constructor(value: string) {
		this.#value = value;
	}

	/** The secret itself: for an Authorization header, a request to the identity service, or SecretStorage. */
	reveal(): string {
		return this.#value;
	}

	toString(): string {
		return shown;
	}

	toJSON(): string {
		return shown;
	}

	/** What `console.log` and `util.inspect` print. */
	[Symbol.for('nodejs.util.inspect.custom')](): string {
		return shown;
	}
}

/** The token in what somebody pasted, or `undefined` when it cannot be one. A copied "Bearer " is forgiven. */
export function readPastedToken(text: string): Token | undefined {
	const word = text.trim().replace(/^(?:Bearer|token)\s+/i, '');
	return /^[\u0021-\u007e]{8,4096}$/.test(word) ? new Token(word) : undefined;
}
