import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { ticketAccounts } from '../../../../src/app/accounts/ticketAccounts.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeConnection, keptInMemory, keptNames } from '../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { makeTicket, makeTracker } from '../../../support/makeTicket.ts';
import { standFor } from '../../../support/standFor.ts';
import { quietLog } from '../../../support/quietLog.ts';

const log = quietLog();
const name = 'forge.index.requestsPerHour';

/** The editor's settings, with one value. */
function settings(): { readonly workspace: typeof vscode.workspace; readonly set: (perHour: number) => void } {
	let perHour = 0;
	const listeners = new Set<(change: vscode.ConfigurationChangeEvent) => void>();
	return {
		workspace: standFor<typeof vscode.workspace>({
			getConfiguration: () => standFor({ get: () => perHour }),
			onDidChangeConfiguration(listener: (change: vscode.ConfigurationChangeEvent) => void) {
				listeners.add(listener);
				return { dispose: () => void listeners.delete(listener) };
			},
		}),
		set(next) {
			perHour = next;
			listeners.forEach((listener) => listener({ affectsConfiguration: (section) => section === name }));
		},
	};
}

async function turns(): Promise<void> {
	for (let turn = 0; turn < 20; turn += 1) {
		await new Promise((resolve) => void setImmediate(resolve));
	}
}

suite('tickets of accounts', () => {
	test('a budget raised from zero takes effect immediately', async () => {
		const { world, api } = fakeTrackers();
		world.trackers.push(makeTracker());
		world.tickets.set('~alice/alpha', [makeTicket({ id: 1 })]);
		const clock = fakeClock();
		const { workspace, set } = settings();
		const window = standFor<typeof vscode.window>({
			state: { focused: true, active: true },
			onDidChangeWindowState: () => ({ dispose: () => undefined }),
		});
		// The sample forge's tickets are not stored, so this folder stays untouched.
		const folder = join(tmpdir(), 'never-written');
		const accounts = ticketAccounts(folder, { window, workspace }, () => 0.5, clock, log);
		const { key, instance, me } = fakeConnection(api);
		const forge = standFor<ReturnType<typeof fakeConnection>['forge']>({ me, trackers: api });
		const opened = accounts.open(
			{ key, instance, me, forge },
			{ followed: keptNames(), sent: keptInMemory(), disk: undefined },
		);
		clock.advance(10_000);
		await turns();
		assert.deepEqual(world.calls, []);
		set(300);
		clock.advance(0);
		await turns();
		assert.deepEqual(world.calls, ['trackers 0']);
		opened.dispose();
		accounts.dispose();
		clock.advance(60_000);
		await turns();
		assert.equal(world.calls.length, 1);
	});
});
