import assert from 'node:assert/strict';
import { gitReads } from '../../src/app/machine/gitReads.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { openNet, type Net } from 'sourcehut/net.ts';
import { busyForge } from './support/busyForge.ts';
import { directTransport, instanceOf, systemClock, wanted } from '../support/contractForge.ts';
import { allChosenDialects } from '../support/dialects.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { startGuestForge, type GuestForge } from '../support/guestForge.ts';
import { testMachine } from '../support/localMachine.ts';
import { watchingWindow } from '../support/watchingWindow.ts';

const minuteMs = 60_000;

for (const dialect of allChosenDialects()) {
	suite(`${dialect}: the inbox of a guest`, function () {
		this.timeout(60_000);
		const machine = testMachine();
		let guest: GuestForge;
		let net: Net;

		suiteSetup(async () => {
			guest = await startGuestForge(dialect, Date.now());
			const git = gitReads(machine.git, machine.folder);
			net = openNet({ transport: directTransport, clock: systemClock, random: Math.random, git });
		});

		suiteTeardown(async () => {
			await net.close();
			await guest.stop();
			machine.remove();
		});

		test('is empty after the first poll and has four reasons after the next poll', async () => {
			const { ready } = guest.forge;
			const instance = instanceOf({ dialect, areas: ready.areas, hub: ready.hub });
			const client = net.connectForge({ instance, me: '~alice', tokenFor: () => ready.tokens['alice'] });
			const { forge, pass } = busyForge(client);
			forge.lists.world.users.push(await client.users.user('lists', undefined, wanted()));
			// The forge's clock is ahead of the last read of every source.
			const clock = fakeClock(Date.now() - 30 * minuteMs);
			using owned = new Disposables();
			const window = owned.add(watchingWindow({ forge, clock, perHour: 300 }));
			await pass(clock, minuteMs);
			assert.deepEqual(window.inbox.items(), []);
			guest.timers.pass(4000);
			await pass(clock, 10 * minuteMs);
			const seen = window.inbox.items().map(({ entry: { by = '', reason, event } }) => {
				const about = event.kind === 'patchsetReceived' ? `version ${event.version}` : /carol|bob/.exec(by)?.[0];
				return `${about}: ${reason}, ${event.kind}`;
			});
			const expected = [
				'carol: mentioned, commented',
				'bob: assigned, assigned',
				// In `document`, the client doesn't recognise the account as a recipient of the mail.
				`version 1: ${dialect === 'document' ? 'followed' : 'reviewAsked'}, patchsetReceived`,
				'version 2: newVersion, patchsetReceived',
			];
			assert.deepEqual(
				expected.filter((each) => !seen.includes(each)),
				[],
				seen.join('\n'),
			);
		});
	});
}
