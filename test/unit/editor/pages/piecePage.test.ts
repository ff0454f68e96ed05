import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { PieceProtocol, PieceStart } from '../../../../src/pages/protocol/pageProtocol.ts';
import { eagerClock } from '../../../support/eagerClock.ts';
import { fakeConnection, fakeConnections, type ForgeConnection } from '../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { quietProblems } from '../../../support/fakeTicketsParts.ts';
import { liveLink } from '../support/liveLink.ts';

const { piecePage } = await import('../../../../src/editor/pages/livePage.ts');

interface Change {
	readonly title: string | undefined;
	readonly note: string | undefined;
}

function opened(connections = fakeConnections(fakeConnection(fakeTrackers('~alice').api))) {
	const shown: { title: string; note: string | undefined } = { title: 'one', note: 'a' };
	const { link, told, close } = liveLink<PieceProtocol<PieceStart<string, Change>, Change>>();
	const page = piecePage<string, Change>({
		parts: { connections, problems: quietProblems, clock: eagerClock() },
		subject: { connectionKey: 'sample-alice' },
		link,
		strings: () => 'texts',
		now: (ifNew) => ({ title: ifNew('title', shown.title), note: ifNew('note', shown.note) }),
		read: () => void told.push('reads'),
		watch: () => ({ dispose: () => undefined }),
	});
	return { page, told, shown, close };
}

suite('page of pieces', () => {
	test('starts with all pieces, then receives only changed ones', async () => {
		const { page, told, shown } = opened();
		assert.deepEqual(page.open().change, { title: 'one', note: 'a' });
		await page.changed();
		shown.title = 'two';
		void page.changed();
		await page.changed();
		assert.deepEqual(told, ['reads', ['changed', { title: 'two', note: undefined }]]);
		assert.deepEqual(page.start().change, { title: 'two', note: 'a' });
	});

	test('receives nothing for a removed piece', async () => {
		const { page, told, shown } = opened();
		page.open();
		shown.note = undefined;
		await page.changed();
		assert.deepEqual(told, ['reads']);
	});

	test('receives nothing after it closes', async () => {
		const { page, told, shown, close } = opened();
		page.open();
		shown.title = 'two';
		const publishing = page.changed();
		close();
		await publishing;
		await turn();
		assert.deepEqual(told, ['reads']);
	});

	test('reads and starts again when its account arrives', () => {
		const connections = fakeConnections<ForgeConnection>();
		const { page, told } = opened(connections);
		page.open();
		connections.replace(fakeConnection(fakeTrackers('~alice').api));
		assert.deepEqual(told, ['reads', ['reload', undefined]]);
	});
});
