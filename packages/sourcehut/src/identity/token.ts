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

/** Why a pasted text is no token. */
export type TokenFault = 'spaces' | 'characters' | 'tooShort' | 'tooLong';

/** The token in pasted text, or why it has an impossible form. Ignores a copied "Bearer ". */
export function readPastedToken(text: string): Token | TokenFault {
	const word = text.trim().replace(/^(?:Bearer|token)\s+/i, '');
	if (/\s/.test(word)) {
		return 'spaces';
	}
	if (/[^\u0021-\u007e]/.test(word)) {
		return 'characters';
	}
	return word.length < 8 ? 'tooShort' : word.length > 4096 ? 'tooLong' : new Token(word);
}
