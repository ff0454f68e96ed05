import type * as vscode from 'vscode';

/*
 * Links that open forge content in the editor: `vscode://forge-desk.forge-desk/open?url=<web address>`. Anybody can
 * create one, so it contains only one address, and the user must confirm it.
 */

/** Longer addresses are unreadable in the confirmation. */
const longestAddress = 2048;

/** Ids of this editor and this extension in links. */
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

/**
 * The address that a link holds; `undefined` when it holds anything else, or more. The editor has decoded its parts
 * once.
 */
export function addressOfLink({ path, query, fragment }: vscode.Uri): URL | undefined {
	// Hand-written links leave the `#` before the lines unencoded.
	const address = `${query.replace(/^url=/, '')}${fragment === '' ? '' : `#${fragment}`}`;
	if (path !== '/open' || !query.startsWith('url=') || !isAddress(address)) {
		return undefined;
	}
	const url = URL.parse(address);
	// Text before an @ looks like the host.
	return url?.username === '' && url.password === '' ? url : undefined;
}

/** An ampersand would start a second parameter; encoded addresses have none. */
function isAddress(text: string): boolean {
	return text.length <= longestAddress && text.isWellFormed() && /^https?:\/\/[^&\p{Cc}]+$/iu.test(text);
}
