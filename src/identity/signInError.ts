/** Why somebody could not be signed in. Texts from the server have been through `serverWords`. */
export type SignInProblem =
	/** The user said no on the forge's page. */
	| { readonly kind: 'declined' }
	/** Nothing came back within the time limit. */
	| { readonly kind: 'timedOut' }
	/** The server does not know one of the scopes, or does not grant it. `asked`: those that it may mean, as they were written. */
	| { readonly kind: 'scopeRefused'; readonly serverSays: string; readonly asked: readonly string[] }
	/** The server does not take the address that the browser should come back to. */
	| { readonly kind: 'redirectRefused'; readonly serverSays: string }
	| { readonly kind: 'refused'; readonly serverSays: string }
	| { readonly kind: 'unknownClient' }
	| { readonly kind: 'wrongSecret' }
	/** The code was used before, or is too old. */
	| { readonly kind: 'codeSpent' }
	/** `where`: which answer, and the spot in it. */
	| { readonly kind: 'notUnderstood'; readonly where: string }
	/** The server's metadata sends us to another origin or names another issuer. */
	| { readonly kind: 'foreignAddress'; readonly address: string }
	/** The server's metadata says that it has no PKCE with S256. */
	| { readonly kind: 'noPkce' }
	/** The forge has no sign-in for programs. */
	| { readonly kind: 'tokenOnly' }
	/** The browser was signed in as somebody else than the account that was to be renewed. */
	| { readonly kind: 'otherAccount'; readonly wanted: string; readonly got: string }
	/** The token says of itself that its time is over. */
	| { readonly kind: 'tokenExpired'; readonly owner: string; readonly expiresMs: number }
	/** The token is of servers that are older or newer than those of this forge. */
	| { readonly kind: 'tokenOfOtherServers'; readonly isOlder: boolean }
	/** No area accepts the token. */
	| { readonly kind: 'tokenRefused' };

/** Thrown by sign-in. Its message is for logs; people see what the accounts feature makes of `problem`. */
export class SignInError extends Error {
	override readonly name = 'SignInError';
	readonly problem: SignInProblem;

	constructor(problem: SignInProblem, options?: ErrorOptions) {
		super(`sign-in failed: ${problem.kind}`, options);
		this.problem = problem;
	}
}

/** More of what a server says is not looked at. */
const mostRead = 4000;

/** A server's own words, made harmless for one line of a notification: no controls, no links, at most 200 characters. */
export function serverWords(text: string): string {
	const plain = text
		.slice(0, mostRead)
		// A tag holds no other one: looking for its end goes no further, however many begin.
		.replaceAll(/<[^<>]*>/g, '')
		.replaceAll(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu, ' ')
		.replaceAll('[', '(')
		.replaceAll(']', ')')
		.replaceAll(/\s+/g, ' ')
		.trim();
	return plain.length > 200 ? `${plain.slice(0, 199)}…` : plain;
}
