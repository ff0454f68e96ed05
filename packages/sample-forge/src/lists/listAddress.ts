/** Parts of a list address. */
export interface ListAddress {
	/** Without `~`. */
	readonly owner: string;
	readonly list: string;
	readonly command: 'post' | 'subscribe' | 'unsubscribe';
}

const tilde = /^~([a-z_][a-z0-9_-]*)\/([A-Za-z0-9._-]+?)(?:\+([a-z-]+))?$/;
const dotted = /^u\.([a-z_][a-z0-9_-]*)\.([A-Za-z0-9._-]+?)(?:\+([a-z-]+))?$/;

/**
 * `~owner/list@domain`, or `u.owner.list@domain` for programs that refuse `~` and `/`, with `+subscribe` or
 * `+unsubscribe` (docs/protocol.md#list-addresses). Undefined when the address is of another kind or domain.
 */
export function parseListAddress(address: string, domains: readonly string[]): ListAddress | undefined {
	const at = address.lastIndexOf('@');
	const local = address.slice(0, at);
	const found = domains.includes(address.slice(at + 1).toLowerCase())
		? (tilde.exec(local) ?? dotted.exec(local))
		: null;
	const [, owner, list, command = 'post'] = found ?? [];
	if (owner === undefined || list === undefined || !isCommand(command)) {
		return undefined;
	}
	return { owner, list, command };
}

function isCommand(text: string): text is ListAddress['command'] {
	return text === 'post' || text === 'subscribe' || text === 'unsubscribe';
}
