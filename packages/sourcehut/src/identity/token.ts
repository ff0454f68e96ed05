const shown = '[token]';

/**
 * An access token or client secret. Printing, logging and serializing it yield `[token]`; only `reveal` returns the
 * secret.
 */
export class Token {
	readonly #value: string;

	constructor(value: string) {
		this.#value = value;
	}

	/** The secret, for an Authorization header, a request to the identity service, or SecretStorage. */
	reveal(): string {
		return this.#value;
	}

	toString(): string {
		return shown;
	}

	toJSON(): string {
		return shown;
	}

	/** Used by `console.log` and `util.inspect`. */
	[Symbol.for('nodejs.util.inspect.custom')](): string {
		return shown;
	}
}

/** The token in pasted text; `undefined` if it has an impossible form. Ignores a copied "Bearer ". */
export function readPastedToken(text: string): Token | undefined {
	const word = text.trim().replace(/^(?:Bearer|token)\s+/i, '');
	return /^[\u0021-\u007e]{8,4096}$/.test(word) ? new Token(word) : undefined;
}
