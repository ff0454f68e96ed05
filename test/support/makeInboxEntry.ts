import type { InboxEntry } from '../../src/store/inbox/inboxEntry.ts';

/** A comment on `~alice/alpha#7`, this many minutes after noon. */
export function makeEntry(
	id: string,
	minutes: number,
	change: Partial<InboxEntry> & { readonly ticket?: number } = {},
): InboxEntry {
	const { ticket = 7, ...rest } = change;
	return {
		id,
		thing: {
			kind: 'ticket',
			ref: { tracker: { owner: '~alice', name: 'alpha' }, id: ticket },
			title: `Ticket ${ticket}`,
		},
		atMs: Date.UTC(2026, 10, 20, 12, minutes),
		by: '~bob',
		reason: 'mine',
		event: { kind: 'commented', eventId: 100 + minutes, excerpt: `Text ${id}`, moved: undefined },
		...rest,
	};
}
