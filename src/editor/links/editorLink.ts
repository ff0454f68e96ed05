import type * as vscode from 'vscode';

/*
 * Links that open something of a forge in the editor: `vscode://forge-desk.forge-desk/open?url=<address on the web>`.
 * Anybody can make one, so all that it can hold is one address, and a person is asked before anything is opened.
 */

/** Longer addresses cannot be read by the person who is asked. */
const longestAddress = 2048;

/** How this editor and this extension are called in links. */
export interface EditorName {
	/** `vscode.env.uriScheme`: `vscode`, `vscode-insiders`, `vscodium`. */
	readonly scheme: string;
	/** `publisher.name` */
	readonly extensionId: string;
}

/** The link that opens an address; `undefined` for one that no link may hold. */
export function editorLink({ scheme, extensionId }: EditorName, address: string): string | undefined {
	return isAddress(address) ? `${scheme}://${extensionId}/open?url=${encodeURIComponent(address)}` : undefined;
}

/** The address that a link holds; `undefined` when it holds anything else, or more. The editor has decoded its parts once. */
export function addressOfLink({
	path,
	query,
	fragment,
}: Pick<vscode.Uri, 'path' | 'query' | 'fragment'>): URL | undefined {
	// Who writes a link by hand leaves the sharp before the lines as it is.
	const address = `${query.replace(/^url=/, '')}${fragment === '' ? '' : `#${fragment}`}`;
	if (path !== '/open' || !query.startsWith('url=') || !isAddress(address)) {
		return undefined;
	}
	const url = URL.parse(address);
	// What stands before an @ looks like the host to whoever reads it.
	return url?.username === '' && url.password === '' ? url : undefined;
}

/** An ampersand would begin a second parameter; in an address it is written otherwise. */
function isAddress(text: string): boolean {
	return text.length <= longestAddress && text.isWellFormed() && /^https?:\/\/[^&\p{Cc}]+$/iu.test(text);
}
