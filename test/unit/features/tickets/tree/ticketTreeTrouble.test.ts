import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { makeTicket } from '../../../../support/makeTicket.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import { alpha, beta, lineOf, never, treeWorld, type TreeWorld } from '../../../../support/ticketTreeWorld.ts';

const offline = new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' });

/** Cached data, and an unreachable forge. */
async function offlineWorld(error: Error = offline): Promise<TreeWorld> {
	const made = await treeWorld();
	made.index.know(alpha, [makeTicket({ id: 2 }), makeTicket({ id: 1 })]);
	made.forge.world.before = () => {
		throw error;
	};
	return made;
}

suite('tickets view: unreachable forge', () => {
	test('shows cached trackers below a row with the age of the data', async () => {
		const roots = await (await offlineWorld()).roots();
		assert.deepEqual(roots.map(lineOf), [
			'Offline – showing data from 12 minutes ago | Try Again',
			'alpha | ~alice · 2 open of 2',
		]);
		const [notice] = roots;
		assert.deepEqual(
			[notice?.item.command?.command, notice?.item.command?.arguments],
			['forge.view.tryAgain', ['forge.tickets']],
		);
		assert.equal(
			notice?.item.accessibilityInformation?.label,
			'Offline – showing data from 12 minutes ago. The forge said: unreachable. Try Again',
		);
	});

	test('shows cached tickets without a request', async () => {
		const made = await offlineWorld();
		const rows = await made.below('alpha');
		assert.deepEqual(
			rows.map(({ item }) => item.description),
			['3d', '3d'],
		);
		assert.deepEqual(made.forge.world.calls, ['trackers 0']);
	});

	test('reports the failure when the cache is empty', async () => {
		const made = await treeWorld();
		made.forge.world.before = () => Promise.reject(offline);
		await assert.rejects(made.roots(), offline);
	});

	test('a rejected token offers to sign in', async () => {
		const made = await offlineWorld(new ForgeError({ kind: 'tokenRejected', area: 'todo' }));
		const [notice] = await made.roots();
		assert.equal(lineOf(notice!), 'Not up to date – showing data from 12 minutes ago | Sign In');
		assert.equal(notice?.item.command?.command, 'forge.accounts.signIn');
	});

	test('an abort is no failure', async () => {
		const made = await offlineWorld(new DOMException('', 'AbortError'));
		await assert.rejects(made.roots(), { name: 'AbortError' });
	});

	test('later draws do not repeat a cancelled read', async () => {
		const made = await treeWorld();
		await made.roots();
		made.index.know(alpha, [makeTicket()]);
		made.tree.forget(undefined);
		const cancelling = new AbortController();
		made.forge.world.before = async () => {
			cancelling.abort();
			cancelling.signal.throwIfAborted();
		};
		await assert.rejects(made.tree.roots(cancelling.signal), { name: 'AbortError' });
		made.forge.world.before = () => undefined;
		made.forge.world.calls.length = 0;
		assert.equal((await made.roots())[0]?.item.label, 'alpha');
		assert.deepEqual(made.forge.world.calls, []);
	});

	test('a tracker that fails to refresh keeps its rows, below a row with a remedy', async () => {
		const made = await treeWorld();
		made.index.know(alpha, [makeTicket()]);
		made.forge.world.before = (call) =>
			call.startsWith('tickets') ? Promise.reject(new ForgeError({ kind: 'serverError', status: 500 })) : undefined;
		await made.below('alpha');
		await made.settle();
		const rows = await made.below('alpha');
		assert.deepEqual(rows.map(lineOf), [
			'The forge failed – showing data from 12 minutes ago | Try Again',
			'The parser stops a… #12 | 3d',
		]);
		made.forge.world.before = () => undefined;
		made.tree.forget(rows[0]?.parent);
		await made.below('alpha');
		await made.settle();
		assert.equal((await made.below('alpha')).length, 1);
	});

	for (const problem of [offline.problem, { kind: 'rateLimited', untilMs: undefined }] as const) {
		test(`a successful request removes the notices, and failed lists are read again: ${problem.kind}`, async () => {
			const made = await treeWorld();
			await made.roots();
			made.index.know(alpha, [makeTicket()]);
			made.forge.world.before = () => Promise.reject(new ForgeError(problem));
			await made.below('alpha');
			await made.settle();
			const isNotice = ({ item }: TreeNode): boolean => item.contextValue === 'notice';
			assert.equal((await made.below('alpha')).filter(isNotice).length, 1);
			made.tree.forget(undefined);
			assert.equal((await made.roots()).filter(isNotice).length, 1);
			made.forge.world.before = () => undefined;
			made.forge.world.calls.length = 0;
			made.redrawn.length = 0;
			await made.connection.tickets.trackers.read(beta, never);
			assert.ok(made.redrawn.includes(undefined));
			assert.deepEqual((await made.roots()).filter(isNotice), []);
			await made.below('alpha');
			await made.settle();
			assert.deepEqual((await made.below('alpha')).filter(isNotice), []);
			assert.ok(made.forge.world.calls.includes('tickets ~alice/alpha 0'));
		});
	}

	test('a failure in the background appears at the top until the recovery', async () => {
		const made = await treeWorld();
		made.index.know(alpha, [makeTicket()]);
		await made.roots();
		await made.settle();
		made.redrawn.length = 0;
		made.index.pause = { kind: 'offline' };
		made.index.know(alpha, [makeTicket()]);
		await made.settle();
		assert.ok(made.redrawn.includes(undefined));
		assert.equal(lineOf((await made.roots())[0]!), 'Offline – showing data from 12 minutes ago | Try Again');
		made.index.pause = undefined;
		made.index.know(alpha, [makeTicket()]);
		await made.settle();
		assert.equal((await made.roots())[0]?.item.label, 'alpha');
	});

	test('a failed refresh shows the reason above the known trackers', async () => {
		const made = await treeWorld();
		await made.roots();
		made.index.know(alpha, [makeTicket()]);
		made.forge.world.before = () => {
			throw offline;
		};
		made.tree.forget(undefined);
		const roots = await made.roots();
		assert.deepEqual(
			roots.map(({ item }) => item.label),
			['Offline – showing data from 12 minutes ago', 'alpha', 'beta'],
		);
		made.forge.world.before = () => undefined;
		made.tree.forget(undefined);
		assert.deepEqual(
			(await made.roots()).map(({ item }) => item.label),
			['alpha', 'beta'],
		);
	});

	test('shows cached rows immediately, and reads them again in the background', async () => {
		const made = await treeWorld();
		made.index.know(alpha, [makeTicket()]);
		const gate = Promise.withResolvers<void>();
		made.forge.world.before = (call) => (call.startsWith('tickets') ? gate.promise : undefined);
		assert.equal((await made.below('alpha')).length, 1);
		assert.deepEqual(made.forge.world.calls.at(-1), 'tickets ~alice/alpha 0');
		gate.resolve();
	});
});
