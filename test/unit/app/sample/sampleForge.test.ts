import { everywhere } from '../../../../src/forge/port/instance.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readReadyLine } from '../../../../src/editor/accounts/sampleSource.ts';
import { findProgram } from '../../../../src/machine/git/runProgram.ts';
import { sampleForge } from '../../../../src/app/sample/sampleForge.ts';

const never = new AbortController().signal;
const git = (): Promise<string | undefined> =>
	findProgram('git', { path: process.env['PATH'] ?? '', isWindows: process.platform === 'win32', refusedFolders: [] });
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const programPath = join(import.meta.dirname, '../../../../src/sampleForge/program/main.ts');

const areas = {
	meta: 'http://127.0.0.1:5000',
	todo: 'http://127.0.0.1:5001',
	git: 'http://127.0.0.1:5002',
	lists: 'http://127.0.0.1:5003',
};

const ready = {
	ready: true,
	dialect: 'field',
	areas,
	client: { id: 'bbbb000000000001', secret: '5ecret5ecret', redirectPort: 15_998 },
	tokens: { alice: 'a11ce-a11ce' },
};

suite('sample forge', () => {
	test('the ready line tells everything that signing in needs', () => {
		const sample = readReadyLine(JSON.stringify(ready));
		assert.deepEqual(sample?.instance.signIn, {
			kind: 'exchange',
			clientId: 'bbbb000000000001',
			redirectPort: 15_998,
		});
		assert.equal(sample.clientSecret.reveal(), '5ecret5ecret');
		assert.equal(sample.tokens['alice']?.reveal(), 'a11ce-a11ce');
		assert.ok(sample.instance.isSample);
		const document = { ...ready, dialect: 'document', client: { id: 'c', secret: null, redirectPort: null } };
		assert.deepEqual(readReadyLine(JSON.stringify(document))?.instance.signIn, { kind: 'pkce', clientId: 'c' });
		const newest = readReadyLine(JSON.stringify({ ...ready, dialect: 'graphql' }))?.instance;
		assert.deepEqual(
			[newest?.signIn, newest?.protocols],
			[{ kind: 'secret', clientId: 'bbbb000000000001', redirectPort: 15_998 }, everywhere('graphql')],
		);
	});

	test('what is no ready line, or leads away from this computer, is not adopted', () => {
		for (const line of [
			'',
			'listening',
			'{}',
			JSON.stringify({ ...ready, ready: false }),
			JSON.stringify({ ...ready, client: null }),
			JSON.stringify({ ...ready, areas: { ...areas, lists: 'http://192.168.0.1:80' } }),
			JSON.stringify({ ...ready, areas: { ...areas, meta: 'https://forge.example' } }),
		]) {
			assert.equal(readReadyLine(line), undefined, line);
		}
	});

	test('one that was started for the window is adopted, and not ended with it', async () => {
		const environment = { FORGE_DESK_SAMPLE_FORGE: JSON.stringify(ready), FORGE_DESK_SAMPLE_ACCOUNT: 'alice' };
		const sample = sampleForge('/nowhere', environment, git, silent);
		assert.equal(sample.account, 'alice');
		assert.deepEqual(sample.running()?.instance.areas, areas);
		assert.equal(await sample.start(never), sample.running());
		sample.dispose();
	});

	test('it starts once, whoever asks, answers, and ends with the window', async function () {
		this.timeout(60_000);
		const sample = sampleForge(programPath, process.env, git, silent);
		assert.equal(sample.running(), undefined);
		let changes = 0;
		sample.onDidChange(() => changes++);
		const giveUp = new AbortController();
		const given = sample.start(giveUp.signal);
		giveUp.abort();
		await assert.rejects(given, { name: 'AbortError' });
		const [one, two] = await Promise.all([sample.start(never), sample.start(never)]);
		assert.equal(one, two);
		assert.equal(changes, 1);
		assert.deepEqual(one.instance.protocols, everywhere('graphql'));
		const address = `${one.instance.areas.todo}/query`;
		const answer = await fetch(address, {
			method: 'POST',
			headers: {
				Authorization: `Bearer ${one.tokens['alice']?.reveal() ?? ''}`,
				Connection: 'close',
				'Content-Type': 'application/json',
			},
			body: JSON.stringify({ query: '{ me { username } }' }),
		});
		assert.deepEqual([answer.status, await answer.json()], [200, { data: { me: { username: 'alice' } } }]);
		await sample.stop();
		assert.equal(sample.running(), undefined);
		assert.equal(changes, 2);
		await assert.rejects(fetch(address));
		sample.dispose();
	});

	test('one that cannot start says so, and the next attempt is a new one', async () => {
		const sample = sampleForge('/nowhere/missing.cjs', {}, git, silent);
		await assert.rejects(sample.start(never), /The sample forge ended with 1/);
		await assert.rejects(sample.start(never), /The sample forge ended with 1/);
		assert.equal(sample.running(), undefined);
		sample.dispose();
	});
});
