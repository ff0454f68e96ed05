/** Reason of a failed sign-in. `serverWords` has sanitized all server texts. */
export type SignInProblem =
	/** The user declined on the forge's page. */
	| { readonly kind: 'declined' }
	/** No callback within the time limit. */
	| { readonly kind: 'timedOut' }
	/** The server doesn't know or grant a scope. `asked`: candidates, as requested. */
	| { readonly kind: 'scopeRefused'; readonly serverSays: string; readonly asked: readonly string[] }
	/** The server rejects the redirect address. */
	| { readonly kind: 'redirectRefused'; readonly serverSays: string }
	| { readonly kind: 'refused'; readonly serverSays: string }
	| { readonly kind: 'unknownClient' }
	| { readonly kind: 'wrongSecret' }
	/** The code is used or expired. */
	| { readonly kind: 'codeSpent' }
	/** `where`: the response and the position in it. */
	| { readonly kind: 'notUnderstood'; readonly where: string }
	/** The server's metadata names another origin or issuer. */
	| { readonly kind: 'foreignAddress'; readonly address: string }
	/** The server's metadata excludes PKCE with S256. */
	| { readonly kind: 'noPkce' }
	/** The forge has no browser sign-in. */
	| { readonly kind: 'tokenOnly' }
	/** The browser used another account than the renewed one. */
	| { readonly kind: 'otherAccount'; readonly wanted: string; readonly got: string }
	/** The token states a past expiry. */
	| { readonly kind: 'tokenExpired'; readonly owner: string; readonly expiresMs: number }
	/** The token belongs to older or newer servers than this forge's. */
	| { readonly kind: 'tokenOfOtherServers'; readonly isOlder: boolean }
	/** All areas reject the token. */
	| { readonly kind: 'tokenRefused' }
	/** The sample forge finds no git. */
	| { readonly kind: 'gitMissing' }
	/** Another program holds a port of the sample forge. */
	| { readonly kind: 'portTaken'; readonly port: number };

/** Error of a sign-in. The message is for logs; users see a text derived from `problem`. */
export class SignInError extends Error {
	override readonly name = 'SignInError';
	readonly problem: SignInProblem;

	constructor(problem: SignInProblem, options?: ErrorOptions) {
		super(`sign-in failed: ${problem.kind}`, options);
		this.problem = problem;
	}
}

/** Maximum length of server text to process. */
const mostRead = 4000;

/** Sanitizes server text for one line of a notification: no controls, no links, at most 200 characters. */
export function serverWords(text: string): string {
	const plain = text
		.slice(0, mostRead)
		// Excluding `<` inside a tag keeps the match linear, even with many opening brackets.
		.replaceAll(/<[^<>]*>/g, '')
		.replaceAll(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu, ' ')
		.replaceAll('[', '(')
		.replaceAll(']', ')')
		.replaceAll(/\s+/g, ' ')
		.trim();
	return plain.length > 200 ? `${plain.slice(0, 199)}…` : plain;
}
