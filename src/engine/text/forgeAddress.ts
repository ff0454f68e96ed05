import { decodedPart } from '@forge-desk/base/decodedPart.ts';

/** Path of a user's page in any area. `~alice` → `/~alice`. */
export function userPath(owner: string): string {
	return `/${segment(owner)}`;
}

/** Path of a tracker's page below the ticket area (docs/protocol.md#web-addresses). */
export function trackerPath({ owner, name }: { readonly owner: string; readonly name: string }): string {
	return `${userPath(owner)}/${segment(name)}`;
}

/** Path of a ticket's page below the ticket area (docs/protocol.md#web-addresses). */
export function ticketPath(tracker: { readonly owner: string; readonly name: string }, id: number): string {
	return `${trackerPath(tracker)}/${id}`;
}

/** `~` and `@` stay readable; everything else that could change the path is encoded. */
function segment(name: string): string {
	if (/^[\w~-]+$/.test(name)) {
		return name;
	}
	return encodeURIComponent(name.toWellFormed())
		.replaceAll('%40', '@')
		.replaceAll(/^\.+$/g, (dots) => '%2E'.repeat(dots.length));
}

/**
 * The path that a pasted address names on the web, decoded and without the slash before it; empty, so that it names
 * nothing, on another host or in another area than `origin`. `undefined` for a text that is no address.
 */
export function pastedPath(text: string, origin: string): string | undefined {
	if (!/^https?:/i.test(text)) {
		return undefined;
	}
	const url = URL.parse(text);
	return url && url.origin === URL.parse(origin)?.origin ? (decodedPart(url.pathname.slice(1)) ?? '') : '';
}
