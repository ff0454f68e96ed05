import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { LiveProtocol } from '../../../../src/editor/pages/livePage.ts';
import type { Connection } from '../../../../src/store/connection.ts';
import { eagerClock } from '../../../support/eagerClock.ts';
import { fakeConnection, fakeConnections } from '../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { quietProblems } from '../../../support/fakeTicketsParts.ts';
import { liveLink } from '../support/liveLink.ts';

const { livePage } = await import('../../../../src/editor/pages/livePage.ts');

function connected(): Connection {
	return fakeConnection(fakeTrackers('~alice').api);
}

function opened(connections = fakeConnections(), next = (): string | undefined => undefined) {
	const made = liveLink<LiveProtocol<string>>();
	const heard: string[] = [];
	const page = livePage<string>({
		parts: {
			connections,
			problems: { ...quietProblems, log: () => void heard.push('failed') },
			clock: eagerClock(),
		},
		subject: { connectionKey: 'sample-alice' },
		link: { ...made.link, close: () => void heard.push('closed') },
		watch: () => {
			heard.push('watches');
			return { dispose: () => void heard.push('lets go') };
		},
		arrived: (connection, before) => {
			heard.push(before ? 'replaced' : 'came');
			page.follow(connection);
		},
		next: () => ({ change: next(), goesOn: false }),
		readMark: { shown: () => undefined, look: () => void heard.push('looks') },
	});
	return { heard, page, close: made.close };
}

suite('live page', () => {
	test('does not count as seen after a failed update', async () => {
		let isBroken = true;
		const { heard, page } = opened(fakeConnections(), () => {
			if (isBroken) {
				throw new Error('nothing to be told');
			}
			return undefined;
		});
		await page.listen();
		assert.deepEqual(heard, ['failed']);
		isBroken = false;
		await page.changed();
		assert.deepEqual(heard, ['failed', 'looks']);
	});

	test('follows an account that arrives later, and any connection that replaces it', () => {
		const connections = fakeConnections();
		const { heard, page } = opened(connections);
		assert.throws(() => page.connection());
		const first = connected();
		connections.replace(first);
		assert.equal(page.followed(), first);
		const second = connected();
		connections.replace(second);
		assert.equal(page.connection(), second);
		assert.deepEqual(heard, ['came', 'watches', 'replaced', 'lets go', 'watches']);
	});

	test('closes when its account signs out, but not if it never had one', () => {
		const without = opened();
		const connections = fakeConnections(connected());
		const { heard, page } = opened(connections);
		page.follow(page.connection());
		connections.replace();
		assert.deepEqual([without.heard, heard], [[], ['watches', 'closed']]);
	});

	test('releases its account when it closes, and immediately releases any later one', () => {
		const { heard, page, close } = opened(fakeConnections(connected()));
		page.follow(page.connection());
		close();
		page.follow(connected());
		assert.deepEqual(heard.slice(0, 2), ['watches', 'lets go']);
		assert.deepEqual(heard.slice(-2), ['watches', 'lets go']);
	});
});
