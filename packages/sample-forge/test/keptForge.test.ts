import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { PortTaken, type Ready } from '../src/sampleForge.ts';
import { startGuestForge, type GuestForge } from '../../../test/support/guestForge.ts';
import { partOf } from '../../../test/support/sampleForge.ts';
import { standFor } from '../../../test/support/standFor.ts';
import { testInRest } from '../../../test/support/parts.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, '../src/program/main.ts');
const endMs = Date.UTC(2026, 10, 20, 12);

async function ask(ready: Ready, area: 'meta' | 'todo' | 'git' | 'lists', query: string): Promise<unknown> {
	const response = await fetch(`${ready.areas[area]}/query`, {
		method: 'POST',
		headers: {
			Authorization: `Bearer ${ready.tokens['alice'] ?? ''}`,
			'Content-Type': 'application/json',
			Connection: 'close',
		},
		body: JSON.stringify({ query }),
	});
	const answer: unknown = await response.json();
	assert.equal(partOf(answer, ['errors']), undefined, JSON.stringify(answer));
	return partOf(answer, ['data']);
}

const comment = (ready: Ready, text: string): Promise<unknown> =>
	ask(ready, 'todo', `mutation { submitComment(trackerId: 1, ticketId: 3, input: { text: "${text}" }) { id } }`);

async function comments(ready: Ready): Promise<string> {
	const events = 'events { results { changes { ... on Comment { text } } } }';
	const me = `me { tracker(name: "pebble") { ticket(id: 3) { ${events} } } }`;
	return JSON.stringify(await ask(ready, 'todo', `{ ${me} }`));
}

/** Makes every write after the `last` one fail, as if the process had ended. */
function endAfterStep(last: number): { restore(): void; readonly steps: () => number } {
	const names = ['writeFileSync', 'linkSync', 'renameSync', 'rmSync'] as const;
	const kept = names.map((name): readonly [string, unknown] => [name, fs[name]]);
	let steps = 0;
	for (const [name, change] of kept) {
		assert.ok(typeof change === 'function');
		Object.assign(fs, {
			[name](...args: readonly unknown[]) {
				steps += 1;
				if (steps > last) {
					throw new Error('The process has ended');
				}
				const changed: unknown = Reflect.apply(change, fs, args);
				return changed;
			},
		});
	}
	syncBuiltinESMExports();
	return {
		steps: () => steps,
		restore() {
			Object.assign(fs, Object.fromEntries(kept));
			syncBuiltinESMExports();
		},
	};
}

suite('sample forge state', function () {
	this.timeout(60_000);
	let folder: string;
	let state: string;
	const started: GuestForge[] = [];
	const children: ChildProcess[] = [];

	setup(async () => {
		folder = await mkdtemp(join(tmpdir(), 'kept-forge-'));
		state = join(folder, 'sample');
	});

	teardown(async () => {
		await Promise.all(started.splice(0).map((each) => each.stop()));
		for (const child of children.splice(0)) {
			if (child.exitCode === null && child.signalCode === null) {
				child.kill('SIGKILL');
				await once(child, 'close');
			}
		}
		await rm(folder, { recursive: true, force: true });
	});

	async function start(end = endMs): Promise<GuestForge> {
		const guest = await startGuestForge('graphql', end, state);
		started.push(guest);
		return guest;
	}

	async function again(guest: GuestForge, end = endMs): Promise<GuestForge> {
		await guest.stop();
		return await start(end);
	}

	/** Starts the shipped program; resolves to its first line. */
	async function startProcess(): Promise<{ readonly child: ChildProcess; readonly line: unknown }> {
		const child = spawn(process.execPath, [program, '--state', state], { stdio: ['pipe', 'pipe', 'ignore'] });
		children.push(child);
		const lines: readonly unknown[] = await once(createInterface(child.stdout), 'line');
		return { child, line: JSON.parse(String(lines[0])) };
	}

	const git = async (...args: readonly string[]): Promise<string> => {
		const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' };
		const env = { PATH: process.env['PATH'], HOME: folder, GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', ...who };
		return (await run('git', args, { cwd: folder, env })).stdout.trim();
	};
	const address = (ready: Ready): string => `${ready.areas.git}/~alice/pebble`;
	const pushNote = async (ready: Ready, text: string): Promise<string> => {
		const clone = join(folder, 'clone');
		await appendFile(join(clone, 'README.md'), `${text}\n`);
		await git('-C', clone, 'commit', '-qam', text);
		const back = ready.areas.git.replace('://', `://git:${encodeURIComponent(ready.tokens['alice'] ?? '')}@`);
		await git('-C', clone, 'push', '-q', `${back}/ssh/~alice/pebble`, 'HEAD:master');
		return await git('-C', clone, 'rev-parse', 'HEAD');
	};

	test('a restart keeps ports, tokens, secrets and the changes of every service', async () => {
		const first = await start();
		const { ready } = first.forge;
		await git('clone', '-q', address(ready), 'clone');
		await comment(ready, 'said before');
		await ask(ready, 'todo', 'mutation { labelTicket(trackerId: 1, ticketId: 3, labelId: 1) { id } }');
		const commit = await pushNote(ready, 'pushed before');
		await ask(ready, 'git', 'mutation { createRepository(name: "made", visibility: PUBLIC) { id } }');
		await ask(ready, 'git', 'mutation { deleteRepository(id: 2) { id } }');
		await ask(ready, 'lists', 'mutation { createMailingList(name: "talk", visibility: PUBLIC) { id } }');
		await ask(ready, 'meta', 'mutation { updateUser(input: { bio: "kept" }) { id } }');
		const hook = '{ url: "http://127.0.0.1:1/", events: [TRACKER_CREATED], query: "{ me { username } }" }';
		await ask(ready, 'todo', `mutation { createUserWebhook(config: ${hook}) { id } }`);
		const mail =
			'From: Alice <alice@forge.test>\r\nTo: l\r\nSubject: kept\r\nMessage-ID: <k@forge.test>\r\n\r\ntext\r\n';
		const commands = ['HELO x', 'MAIL FROM:<a@b>', 'RCPT TO:<~alice/pebble-devel@lists.forge.test>', 'DATA'];
		const socket = connect(ready.smtp.port, '127.0.0.1');
		socket.end(`${commands.join('\r\n')}\r\n${mail}.\r\nQUIT\r\n`);
		assert.match((await socket.toArray()).join(''), /250 2\.0\.0 Taken/);

		const second = await again(first);
		assert.deepEqual(second.forge.ready, ready);
		assert.match(await comments(ready), /said before/);
		const labels = 'me { tracker(name: "pebble") { ticket(id: 3) { labels { id } } } }';
		assert.match(
			JSON.stringify(await ask(ready, 'todo', `{ ${labels} userWebhooks { results { url } } }`)),
			/"id":1\b.*127\.0\.0\.1:1/,
		);
		assert.equal((await git('ls-remote', address(ready), 'refs/heads/master')).slice(0, 40), commit);
		assert.deepEqual(await ask(ready, 'git', '{ me { repositories { results { name } } } }'), {
			me: { repositories: { results: [{ name: 'made' }, { name: 'pebble' }] } },
		});
		assert.match(JSON.stringify(await ask(ready, 'lists', '{ me { lists { results { name } } } }')), /talk/);
		const { lists } = second.forge.world.areas;
		assert.equal(lists.room.store.findEmails('<k@forge.test>')[0]?.message.subject, 'kept');
		assert.deepEqual(await ask(ready, 'meta', '{ me { bio } }'), { me: { bio: 'kept' } });
		const pushed = await pushNote(ready, 'pushed after');
		assert.match(
			JSON.stringify(await ask(ready, 'git', '{ me { repository(name: "pebble") { log { results { id } } } } }')),
			new RegExp(pushed),
		);
		await comment(ready, 'said after');
		const third = await again(second);
		assert.match(await comments(third.forge.ready), /said before.*said after|said after.*said before/);
	});

	testInRest('a crash after any step of a write keeps every answered write', async () => {
		let isWhole = false;
		for (let last = 1; !isWhole; last++) {
			await rm(state, { recursive: true, force: true });
			const ending = endAfterStep(last);
			const answered: string[] = [];
			try {
				const { forge } = await start();
				for (const text of ['one', 'two', 'three']) {
					await comment(forge.ready, text);
					answered.push(text);
				}
			} catch {
				// The simulated end of the process.
			} finally {
				isWhole = ending.steps() <= last;
				ending.restore();
				await Promise.all(started.splice(0).map((each) => each.stop()));
			}
			const guest = await start();
			assert.equal(guest.forge.ready.setAside, null, `step ${last}`);
			const all = await comments(guest.forge.ready);
			assert.deepEqual(
				answered.filter((text) => !all.includes(`"${text}"`)),
				[],
				`step ${last}`,
			);
			await again(guest);
			await Promise.all(started.splice(0).map((each) => each.stop()));
			assert.equal((await readdir(state)).length, 2, `step ${last} leaves no other file`);
		}
	});

	testInRest(
		'a killed process restarts on its ports, and a running one reports its address to later starts',
		async () => {
			const { child, line } = await startProcess();
			const ready = standFor<Ready>(line);
			const second = await startProcess();
			assert.deepEqual(second.line, { taken: partOf(second.line, ['taken']), by: ready });
			await comment(ready, 'before the kill');
			child.kill('SIGKILL');
			await once(child, 'close');
			const third = await startProcess();
			assert.deepEqual(third.line, ready);
			assert.match(await comments(ready), /before the kill/);
			const nonce = 'ab'.repeat(16);
			const watch = await fetch(`${ready.areas.meta}/watch/${nonce}`);
			const proof = createHmac('sha256', ready.client.secret ?? '')
				.update(nonce)
				.digest('hex');
			assert.equal(watch.headers.get('x-sample-proof'), proof);
			third.child.stdin?.end();
			await assert.rejects(watch.text());
		},
	);

	testInRest('of two concurrent first starts, one creates the world and the other finds it', async () => {
		const lines = (await Promise.all([startProcess(), startProcess()])).map(({ line }) => line);
		const [ready] = lines.filter((line) => partOf(line, ['ready']) === true);
		assert.deepEqual(
			lines.filter((line) => line !== ready).map((line) => partOf(line, ['by'])),
			[ready],
		);
	});

	test('the error names a port that another program uses', async () => {
		const first = await start();
		const { ready } = first.forge;
		await first.stop();
		const port = Number(new URL(ready.areas.git).port);
		const other = createServer().listen(port, '127.0.0.1');
		await once(other, 'listening');
		try {
			await assert.rejects(start(), (error) => error instanceof PortTaken && error.port === port);
		} finally {
			other.close();
		}
		assert.deepEqual((await start()).forge.ready, ready);
	});

	testInRest('a start moves unreadable state and its repositories aside, and returns their folder', async () => {
		const damages: readonly ((bytes: Buffer) => Buffer)[] = [
			(bytes) => bytes.subarray(0, -1),
			(bytes) => Buffer.concat([bytes.subarray(0, 500), Buffer.of((bytes[500] ?? 0) ^ 1), bytes.subarray(501)]),
			() => Buffer.alloc(0),
			(bytes) => Buffer.from(bytes.toString('latin1').replace('sample-forge 1 ', 'sample-forge 0 '), 'latin1'),
		];
		for (const damage of damages) {
			const first = await start();
			await first.stop();
			const path = join(state, 'state');
			const damaged = damage(await readFile(path));
			await writeFile(path, damaged);
			const { ready } = (await again(first)).forge;
			assert.ok(ready.setAside);
			assert.deepEqual(await readFile(join(ready.setAside, 'state')), damaged);
			const [repositories = ''] = (await readdir(ready.setAside)).filter((name) => name.startsWith('repositories'));
			assert.deepEqual(await readdir(join(ready.setAside, repositories)), ['1.git', '2.git']);
			assert.match(JSON.stringify(await ask(ready, 'todo', '{ me { tracker(name: "pebble") { name } } }')), /pebble/);
			const { forge } = await again(started.at(-1)!);
			assert.equal(forge.ready.setAside, null);
			assert.ok((await readdir(ready.setAside)).includes('state'), 'the damaged files stay');
			await Promise.all(started.splice(0).map((each) => each.stop()));
			await rm(state, { recursive: true });
		}
	});

	test('only the file owner can read the state', async () => {
		await start();
		assert.deepEqual(
			[(await stat(join(state, 'state'))).mode & 0o777, (await stat(state)).mode & 0o777],
			[0o600, 0o700],
		);
	});

	test('locks and incomplete repositories of an ended process do not block the next one', async () => {
		const first = await start();
		const { ready } = first.forge;
		await git('clone', '-q', address(ready), 'clone');
		await first.stop();
		const [name = ''] = (await readdir(state)).filter((each) => each.startsWith('repositories'));
		const repositories = join(state, name);
		await writeFile(join(repositories, '1.git', 'refs/heads/master.lock'), '');
		await writeFile(join(repositories, '1.git', 'packed-refs.lock'), '');
		await mkdir(join(repositories, '3.git'));
		await rm(join(repositories, '2.git', 'config'));
		await start();
		await pushNote(ready, 'pushed');
		await ask(ready, 'git', 'mutation { createRepository(name: "made", visibility: PUBLIC) { id } }');
		assert.deepEqual((await readdir(repositories)).toSorted(), ['1.git', '2.git', '3.git']);
	});

	test('time never runs backwards, even if the system clock does', async () => {
		const soonMs = Date.now() + 86_400_000;
		const first = await start(soonMs);
		await comment(first.forge.ready, 'late');
		const lastMs = first.forge.world.nowMs();
		const second = await again(first, endMs);
		assert.ok(second.forge.world.nowMs() >= soonMs);
		assert.ok(second.forge.world.nowMs() >= lastMs - 1000);
	});

	test('pending actions of colleagues happen once after a restart', async () => {
		const first = await start();
		const { ready } = first.forge;
		await comments(ready);
		first.timers.pass(4000);
		const versions = (guest: GuestForge): number =>
			guest.forge.world.areas.lists.room.store.lists
				.flatMap(({ patchsets }) => patchsets)
				.filter(({ subject, version }) => version === 2 && /gzip|compress/i.test(subject)).length;
		const before = versions(first);
		await comment(ready, 'a question');
		const second = await again(first);
		second.timers.pass(60_000);
		await comments(ready);
		assert.equal(versions(second), before + 1, 'the new version comes after the restart');
		const third = await again(second);
		third.timers.pass(120_000);
		assert.equal(versions(third), before + 1, 'it comes once');
		await comment(ready, 'another question');
		third.timers.pass(8000);
		const answers = (text: string): number => text.split('"text"').length;
		const answered = answers(await comments(ready));
		const fourth = await again(third);
		await comment(ready, 'one more');
		fourth.timers.pass(8000);
		assert.equal(answers(await comments(ready)), answered + 1, 'only the guest has spoken');
	});
});
