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
