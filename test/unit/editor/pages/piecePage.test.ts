import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Emitter } from '../../../../src/base/event.ts';
import { Disposables } from '../../../../src/base/lifecycle.ts';
import type { PageLink } from '../../../../src/editor/pages/pageHost.ts';
import type { PieceProtocol, PieceStart } from '../../../../src/protocol/pieceProtocol.ts';
import { eagerClock } from '../../../support/eagerClock.ts';
import { fakeConnection, fakeConnections } from '../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { quietProblems } from '../../../support/fakeTicketsParts.ts';

const { piecePage } = await import('../../../../src/editor/pages/piecePage.ts');

interface Change {
	readonly title: string | undefined;
	readonly note: string | undefined;
}

function opened(connections = fakeConnections(fakeConnection(fakeTrackers('~alice').api))) {
	const heard: unknown[] = [];
	const shown: { title: string; note: string | undefined } = { title: 'one', note: 'a' };
	const closing = new AbortController();
	const silent = new Emitter<void>();
	const link: PageLink<PieceProtocol<PieceStart<string, Change>, Change>> = {
		tell: (name, value) => void heard.push([name, value]),
		setTitle: () => undefined,
		become: () => undefined,
		close: () => undefined,
		signal: closing.signal,
		owned: new Disposables(),
		isWatched: () => true,
		isVisible: () => true,
		onDidChangeWatched: silent.event,
		onDidShow: silent.event,
	};
	const page = piecePage<string, Change>({
		parts: { connections, problems: quietProblems, clock: eagerClock() },
		subject: { connectionKey: 'sample-alice' },
		link,
		strings: () => 'texts',
		now: (ifNew) => ({ title: ifNew('title', shown.title), note: ifNew('note', shown.note) }),
		read: () => void heard.push('reads'),
		watch: () => ({ dispose: () => undefined }),
	});
	return { page, heard, shown, closing };
}

suite('a page of pieces', () => {
	test('starts with all that is known, and then hears of what is different alone', async () => {
		const { page, heard, shown } = opened();
		assert.deepEqual(page.open().change, { title: 'one', note: 'a' });
		await page.changed();
		shown.title = 'two';
		void page.changed();
		await page.changed();
		assert.deepEqual(heard, ['reads', ['changed', { title: 'two', note: undefined }]]);
		assert.deepEqual(page.start().change, { title: 'two', note: 'a' });
	});

	test('is told nothing of a piece that has gone', async () => {
		const { page, heard, shown } = opened();
		page.open();
		shown.note = undefined;
		await page.changed();
		assert.deepEqual(heard, ['reads']);
	});

	test('is told nothing any more once it is closed', async () => {
		const { page, heard, shown, closing } = opened();
		page.open();
		shown.title = 'two';
		const publishing = page.changed();
		closing.abort();
		await publishing;
		await turn();
		assert.deepEqual(heard, ['reads']);
	});

	test('reads and starts anew when its account comes', () => {
		const connections = fakeConnections();
		const { page, heard } = opened(connections);
		page.open();
		connections.replace(fakeConnection(fakeTrackers('~alice').api));
		assert.deepEqual(heard, ['reads', ['reload', undefined]]);
	});
});
