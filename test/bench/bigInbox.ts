import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '@forge-desk/base/event.ts';
import type { InboxEntry } from '../../src/store/inbox/inboxEntry.ts';
import type { InboxPosition } from '../../src/store/inbox/inboxBook.ts';
import { openInbox, type Inbox } from '../../src/store/inbox/inbox.ts';
import { fileTexts } from '../../src/machine/storage/fileTexts.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { makeEntry } from '../support/makeInboxEntry.ts';
import { blockFigure } from './figures.ts';
import { bestOf, longestBlock } from './longestBlock.ts';
import type { Figure, Size } from './measurement.ts';

/** The most entries and positions of an inbox, some of repositories with very many references. */
const sizes = {
	full: { entries: 2000, positions: 5000, repositories: 20, references: 1000, runs: 20 },
	smallest: { entries: 20, positions: 50, repositories: 2, references: 10, runs: 1 },
} as const;

/** One change of the largest inbox until it is on the disk, and its arrival in the other window. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { runs } = sizes[size];
	using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-inbox-'));
	const kept = fileTexts(folder.path, () => true, fakeClock()).of('inbox', 'bench');
	const written = new Emitter<void>();
	const inbox = openInbox(kept, new Emitter<void>().event, fakeClock());
	const other = openInbox(kept, written.event, fakeClock());
	const entries = entriesOf(size);
	inbox.add({ entries, positions: positionsOf(size) });
	written.fire();
	const text = String(kept.read());
	let at = 0;
	const change = (): void => {
		at += 1;
		const { id } = entries[at % entries.length] ?? { id: '' };
		inbox.setState([id], inbox.items().find(({ entry }) => entry.id === id)?.state === 'read' ? 'unread' : 'read');
	};
	const changeMs = await longestBlock(async () => change(), runs);
	const otherMs = await bestOf(runs, async () => {
		change();
		return await longestBlock(async () => written.fire(), 1);
	});
	written.fire();
	assertSame(inbox, other);
	inbox.dispose();
	other.dispose();
	const detail = `${(text.length / 1e6).toFixed(1)} MB, best of ${runs} runs`;
	return [
		blockFigure('A change of the largest inbox: longest block', changeMs, detail),
		blockFigure('The same in the other window: longest block', otherMs, detail),
	];
}

function assertSame(one: Inbox, other: Inbox): void {
	if (one.items().length === 0 || JSON.stringify(one.items()) !== JSON.stringify(other.items())) {
		throw new Error('The windows do not know the same');
	}
}

function entriesOf(size: Size): readonly InboxEntry[] {
	return Array.from({ length: sizes[size].entries }, (_, at) =>
		makeEntry(`~alice/alpha#${at} event ${at}`, at, {
			ticket: at + 1,
			event: { kind: 'commented', eventId: at, excerpt: 'It smokes. '.repeat(25), moved: undefined },
		}),
	);
}

function positionsOf(size: Size): ReadonlyMap<string, InboxPosition> {
	const { positions, repositories, references } = sizes[size];
	const detailOf = (repository: number): string =>
		JSON.stringify(
			Array.from({ length: references }, (_, at) => [
				`refs/heads/feature/number-${at}`,
				(repository * references + at).toString(16).padStart(40, '0'),
			]),
		);
	return new Map(
		Array.from({ length: positions }, (_, at): [string, InboxPosition] =>
			at < repositories
				? [`repository ~bob/quill${at}`, { sinceMs: at, newestId: 0, detail: detailOf(at) }]
				: [`ticket ~alice/alpha#${at}`, { sinceMs: at, newestId: at, detail: '' }],
		),
	);
}
