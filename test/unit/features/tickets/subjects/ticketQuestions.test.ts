import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { fakeConnection, fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { makeTracker, makeUser } from '../../../../support/makeTicket.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const { askTracker } = await import('../../../../../src/features/tickets/subjects/ticketQuestions.ts');

const never = new AbortController().signal;

suite('tracker picker', () => {
	setup(resetStub);

	test('offers all own trackers, however many pages they take', async () => {
		const { world, api } = fakeTrackers();
		world.pageSize = 3;
		world.trackers.push(...Array.from({ length: 7 }, (_, at) => makeTracker({ id: at + 1, name: `tool${at}` })));
		stubbed.answers.push('~alice/tool6');
		const chosen = await askTracker(fakeConnections(fakeConnection(api)), never);
		assert.equal(chosen.ref.name, 'tool6');
		assert.equal(stubbed.offered.length, 7);
	});

	test('an unreachable account does not hide trackers of the others', async () => {
		const [down, up] = [fakeTrackers('~bob'), fakeTrackers()];
		down.world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'refused', host: 'x' });
		};
		up.world.trackers.push(makeTracker(), makeTracker({ id: 2, name: 'beta' }));
		const connections = fakeConnections(fakeConnection(down.api, '~bob'), fakeConnection(up.api));
		stubbed.answers.push('~alice/beta');
		assert.equal((await askTracker(connections, never)).ref.name, 'beta');
		const nobody = fakeConnections(fakeConnection(down.api, '~bob'));
		await assert.rejects(askTracker(nobody, never), { name: 'ForgeError' });
	});

	test('names the failing account with the reason, and offers a remedy', async () => {
		const [down, rejected, up] = [fakeTrackers('~bob'), fakeTrackers('~carol'), fakeTrackers()];
		down.world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'timeout', host: 'todo.forge.test' });
		};
		rejected.world.before = () => {
			throw new ForgeError({ kind: 'tokenRejected', area: 'todo' });
		};
		down.world.trackers.push(makeTracker({ id: 3, name: 'bobs', owner: makeUser('bob') }));
		up.world.trackers.push(makeTracker());
		const connections = fakeConnections(
			fakeConnection(down.api, '~bob'),
			fakeConnection(rejected.api, '~carol'),
			fakeConnection(up.api),
		);
		const first = askTracker(connections, never);
		stubbed.answers.push('Sign In…');
		await assert.rejects(first, isAbort);
		assert.deepEqual(
			stubbed.offered.map(({ label, detail }) => [label, detail]),
			[
				['~alice/alpha', undefined],
				[
					'Try Again',
					"Some trackers of ~bob could not be loaded. todo.forge.test didn't respond in time. Check for a firewall or VPN, or try again later.",
				],
				[
					'Sign In…',
					'Some trackers of ~carol could not be loaded. The forge no longer accepts your token. Sign in again to continue.',
				],
			],
		);
		assert.deepEqual(stubbed.executed, ['forge.accounts.signIn']);
		stubbed.answers.push('Try Again', '~bob/bobs');
		let failing = 1;
		down.world.before = () => {
			failing -= 1;
			if (failing === 0) {
				throw new ForgeError({ kind: 'serverError', status: 503 });
			}
		};
		assert.equal((await askTracker(connections, never)).ref.name, 'bobs');
	});

	test('offers only a retry when no account has a readable tracker', async () => {
		const [down, up] = [fakeTrackers('~bob'), fakeTrackers()];
		down.world.before = () => {
			throw new ForgeError({ kind: 'unreachable', reason: 'timeout', host: 'todo.forge.test' });
		};
		stubbed.answers.push(undefined);
		const asked = askTracker(fakeConnections(fakeConnection(down.api, '~bob'), fakeConnection(up.api)), never);
		await assert.rejects(asked, isAbort);
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['Try Again'],
		);
	});
});
