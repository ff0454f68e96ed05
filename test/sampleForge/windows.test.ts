import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { samplePushes } from '../../src/app/machine/samplePushes.ts';
import { sampleForge } from '../../src/app/sample/sampleForge.ts';
import type { RunningSample } from '../../src/editor/accounts/sampleSource.ts';
import { SignInError } from 'sourcehut/identity/signInError.ts';
import { everywhere } from 'sourcehut/port/instance.ts';
import { withAskPass } from 'hardened-git/askPass.ts';
import type { AskPass } from 'hardened-git/hardenedGit.ts';
import { pushCommit } from 'hardened-git/pushCommit.ts';
import { findProgram } from 'hardened-git/runProgram.ts';
import { eventually } from '../support/eventually.ts';
import { fakeSecrets, type FakeSecrets } from '../support/fakeSecrets.ts';
import { testMachine } from '../support/localMachine.ts';
import { standFor } from '../support/standFor.ts';
import { testInRest } from '../support/parts.ts';

const never = new AbortController().signal;
const git = (): Promise<string | undefined> =>
	findProgram('git', { path: process.env['PATH'] ?? '', isWindows: process.platform === 'win32', refusedFolders: [] });
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const programPath = join(import.meta.dirname, '../../packages/sample-forge/src/program/main.ts');

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

suite('sample forge windows', function () {
	this.timeout(60_000);
	let folder: string;
	let stateFolder: string;
	let secrets: FakeSecrets;
	const windows: ReturnType<typeof sampleForge>[] = [];

	setup(async () => {
		folder = await mkdtemp(join(tmpdir(), 'sample-windows-'));
		stateFolder = join(folder, 'sample');
		secrets = fakeSecrets();
	});

	teardown(async () => {
		for (const window of windows.splice(0)) {
			await window.stop();
			window.dispose();
		}
		await rm(folder, { recursive: true, force: true });
	});

	function open(environment: NodeJS.ProcessEnv = process.env, program = programPath): ReturnType<typeof sampleForge> {
		const window = sampleForge({ programPath: program, stateFolder }, environment, git, secrets, silent);
		windows.push(window);
		return window;
	}

	/** Resolves when the forge is running, or no longer running. */
	async function changedTo(window: ReturnType<typeof sampleForge>, isRunning: boolean): Promise<void> {
		await new Promise<void>((resolve) => {
			window.onDidChange(() => {
				if ((window.running() !== undefined) === isRunning) {
					resolve();
				}
			});
		});
	}

	async function ask({ instance, tokens }: RunningSample, query: string): Promise<unknown> {
		const answer = await fetch(`${instance.areas.todo}/query`, {
			method: 'POST',
			headers: {
				Authorization: `Bearer ${tokens['alice']?.reveal() ?? ''}`,
				Connection: 'close',
				'Content-Type': 'application/json',
			},
			body: JSON.stringify({ query }),
		});
		return [answer.status, await answer.json()];
	}

	const who = '{ me { username } }';
	const alice = [200, { data: { me: { username: 'alice' } } }];

	test('a window adopts a forge of its environment and does not stop it', async () => {
		const window = open({ FORGE_DESK_SAMPLE_FORGE: JSON.stringify(ready), FORGE_DESK_SAMPLE_ACCOUNT: 'alice' });
		assert.equal(await window.user(), 'alice');
		assert.deepEqual(window.running()?.instance.areas, areas);
		assert.equal(await window.start(never), window.running());
		await window.keepUser('alice');
		assert.equal(secrets.values.size, 0);
		await window.stop();
		assert.deepEqual(window.running()?.instance.areas, areas);
	});

	test('a start without git fails with gitMissing', async () => {
		const window = sampleForge({ programPath, stateFolder }, process.env, async () => undefined, secrets, silent);
		windows.push(window);
		await assert.rejects(
			window.start(never),
			(error) => error instanceof SignInError && error.problem.kind === 'gitMissing',
		);
		assert.equal(window.running(), undefined);
	});

	testInRest('concurrent starts of a window share one forge, which ends with the window', async () => {
		const window = open();
		assert.equal(window.running(), undefined);
		let changes = 0;
		window.onDidChange(() => changes++);
		const giveUp = new AbortController();
		const given = window.start(giveUp.signal);
		giveUp.abort();
		await assert.rejects(given, { name: 'AbortError' });
		const [one, two] = await Promise.all([window.start(never), window.start(never)]);
		assert.equal(one, two);
		assert.equal(changes, 1);
		assert.deepEqual(one.instance.protocols, everywhere('graphql'));
		assert.deepEqual(await ask(one, who), alice);
		await window.stop();
		assert.equal(window.running(), undefined);
		assert.equal(changes, 2);
		await assert.rejects(ask(one, who));
	});

	test('a failed start reports its error, and the next attempt starts again', async () => {
		const window = open({}, '/nowhere/missing.cjs');
		await assert.rejects(window.start(never), /The sample forge ended with 1/);
		await assert.rejects(window.start(never), /The sample forge ended with 1/);
		assert.equal(window.running(), undefined);
	});

	test('the next window restores the forge and its signed-in user', async () => {
		const first = open();
		assert.equal(await first.user(), undefined);
		const before = await first.start(never);
		await first.keepUser('alice');
		await ask(before, 'mutation { submitComment(trackerId: 1, ticketId: 3, input: { text: "kept" }) { id } }');
		await first.stop();
		const second = open();
		assert.equal(await second.user(), 'alice');
		const after = await second.start(never);
		assert.deepEqual(after, before);
		const text =
			'{ me { tracker(name: "pebble") { ticket(id: 3) { events { results { changes { ... on Comment { text } } } } } } } }';
		assert.match(JSON.stringify(await ask(after, text)), /"kept"/);
		await second.keepUser(undefined);
		assert.equal(await open().user(), undefined);
	});

	testInRest('a second window uses the process of the first, and restarts it when it ends', async () => {
		const [first, second] = [open(), open()];
		const before = await first.start(never);
		await first.keepUser('alice');
		assert.deepEqual(await second.start(never), before);
		let changes = 0;
		second.onDidChange(() => changes++);
		await first.stop();
		await eventually(async () => await ask(before, who).catch(() => undefined), alice);
		assert.deepEqual([second.running()?.instance.areas, changes], [before.instance.areas, 0]);
		const third = open();
		assert.deepEqual(await third.start(never), before);
	});

	testInRest('a clone pushes to and reads from the forge of a later window', async () => {
		const first = open();
		const { instance } = await first.start(never);
		const machine = testMachine();
		try {
			machine.plain(machine.folder, 'clone', '-q', `${instance.areas.git}/~alice/pebble`, 'pebble');
			const clone = join(machine.folder, 'pebble');
			const commit = machine.commitAll(clone, 'Tried', '--allow-empty');
			await first.stop();
			const second = open();
			const { tokens } = await second.start(never);
			const pushes = samplePushes(second.running, (asking, signal, work) =>
				withAskPass({ tempFolder: folder, node: process.execPath, isWindows: false }, asking, signal, work),
			);
			const address = pushes.pushAddress(machine.plain(clone, 'remote', 'get-url', 'origin').trim());
			const pushed = await pushes.withAskPass(
				(question) => Promise.reject(new Error(question)),
				never,
				(askPass) =>
					pushCommit(
						{ git: machine.git, tempFolder: folder, askPass },
						{ folder: clone, commit, address, remote: 'origin', branch: 'master' },
						never,
					),
			);
			assert.deepEqual(pushed, { kind: 'pushed' });
			assert.equal(machine.plain(clone, 'ls-remote', 'origin', 'refs/heads/master').slice(0, 40), commit);
			assert.ok(!machine.plain(clone, 'config', '--list').includes(tokens['alice']?.reveal() ?? ''));
		} finally {
			machine.remove();
		}
	});

	test('git gets the token only for the addresses of the forge', async () => {
		const window = open({ FORGE_DESK_SAMPLE_FORGE: JSON.stringify(ready) });
		const questions = [
			"Username for 'http://127.0.0.1:5002': ",
			"Password for 'http://alice@127.0.0.1:5002': ",
			"Password for 'http://alice@127.0.0.1:5001': ",
			"Password for 'https://alice@127.0.0.1:5002': ",
			"Password for 'http://alice@127.0.0.1:5002.evil.example': ",
			"Password for 'http://127.0.0.1:5002@evil.example': ",
			"Enter passphrase for key '/home/alice/.ssh/id': ",
		];
		const answers: (string | undefined)[] = [];
		const pushes = samplePushes(window.running, async (asking, signal, work) => {
			for (const question of questions) {
				answers.push(await asking(question, signal));
			}
			return await work(standFor<AskPass>({}));
		});
		await pushes.withAskPass(
			async () => 'asked',
			never,
			async () => undefined,
		);
		assert.deepEqual(answers, ['alice', 'a11ce-a11ce', 'asked', 'asked', 'asked', 'asked', 'asked']);
		const moved = [
			'http://127.0.0.1:5002/~alice/pebble',
			'http://127.0.0.1:5002.evil.example/~alice/pebble',
			'git@127.0.0.1:~alice/pebble',
		];
		assert.deepEqual(
			moved.map((address) => pushes.pushAddress(address)),
			['http://127.0.0.1:5002/ssh/~alice/pebble', ...moved.slice(1)],
		);
	});

	testInRest('windows that start at the same time share one process', async () => {
		const all = [open(), open(), open()];
		const [one, ...others] = await Promise.all(all.map((window) => window.start(never)));
		assert.ok(one);
		others.forEach((other) => assert.deepEqual(other, one));
	});

	test('ending the forge in one window ends it in all, and the next start makes a new world', async () => {
		const [first, second, third] = [open(), open(), open()];
		const before = await first.start(never);
		await first.keepUser('alice');
		await second.start(never);
		const endsHere = changedTo(first, false);
		await second.end(never);
		await endsHere;
		assert.deepEqual([second.running(), await third.user()], [undefined, undefined]);
		await assert.rejects(access(stateFolder), { code: 'ENOENT' });
		assert.notEqual((await third.start(never)).tokens['alice']?.reveal(), before.tokens['alice']?.reveal());
	});

	testInRest('a start fails with the port of another program, which gets no secret', async () => {
		const window = open();
		const before = await window.start(never);
		await window.stop();
		const seen: string[] = [];
		const other = createServer(({ url = '', headers }, response) => {
			seen.push(url, JSON.stringify(headers));
			response.end('no forge');
		}).listen(Number(new URL(before.instance.areas.meta).port), '127.0.0.1');
		await once(other, 'listening');
		try {
			await assert.rejects(window.start(never), ({ problem }: SignInError) => {
				assert.deepEqual(problem, { kind: 'portTaken', port: Number(new URL(before.instance.areas.meta).port) });
				return true;
			});
		} finally {
			other.close();
		}
		const secretTexts = [before.clientSecret, ...Object.values(before.tokens)].map((token) => token.reveal());
		assert.ok(seen.length > 0);
		assert.deepEqual(
			secretTexts.filter((text) => seen.join(' ').includes(text)),
			[],
		);
		assert.deepEqual(await window.start(never), before);
	});
});
