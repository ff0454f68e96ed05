import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printToPusher } from '../src/repositories/repositoryDoors.ts';
import { pushAddress } from '../../../test/support/pushToForge.ts';
import { fieldsOf, partOf, type SampleForge } from '../../../test/support/sampleForge.ts';
import { sharedForge } from '../../../test/support/sharedForge.ts';
import { inRest } from '../../../test/support/parts.ts';

interface Received {
	readonly headers: IncomingHttpHeaders;
	readonly body: unknown;
}

interface Receiver {
	readonly url: string;
	readonly received: readonly Received[];
	close(): void;
}

async function startReceiver(reply: string): Promise<Receiver> {
	const received: Received[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
			received.push({ headers: request.headers, body });
			response.end(reply);
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		url: `http://127.0.0.1:${port}/hook`,
		received,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

interface Ran {
	readonly code: number | null;
	readonly output: string;
}

for (const dialect of ['field', 'document'] as const) {
	suite(`Sample forge, ${dialect} dialect: git over http`, function () {
		if (dialect === 'document') {
			inRest(this);
		}
		let forge: SampleForge;
		let dir: string;

		suiteSetup(async () => {
			forge = await sharedForge(dialect);
			dir = await mkdtemp(join(tmpdir(), 'git-push-'));
		});

		suiteTeardown(async () => {
			assert.deepEqual(await forge.crashes(), []);
			await rm(dir, { recursive: true, force: true });
		});

		/** Runs git without the configuration of this machine. */
		const git = async (cwd: string, ...args: readonly string[]): Promise<Ran> => {
			const who = { GIT_AUTHOR_NAME: 'Alice', GIT_AUTHOR_EMAIL: 'alice@forge.test' };
			const committer = { GIT_COMMITTER_NAME: 'Alice', GIT_COMMITTER_EMAIL: 'alice@forge.test' };
			const quiet = { GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
			const env = { PATH: process.env['PATH'], HOME: dir, LC_ALL: 'C', ...who, ...committer, ...quiet };
			const child = spawn('git', args, { cwd, env });
			const chunks: Buffer[] = [];
			child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
			child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
			await once(child, 'close');
			return { code: child.exitCode, output: Buffer.concat(chunks).toString('utf8') };
		};
		const must = async (cwd: string, ...args: readonly string[]): Promise<string> => {
			const { code, output } = await git(cwd, ...args);
			assert.equal(code, 0, `${args.join(' ')}: ${output}`);
			return output;
		};
		const front = (name: string): string => `${forge.areas.git}/${name}`;
		const back = (name: string, user: 'alice' | 'bob' = 'alice'): string => pushAddress(forge, name, user);
		const addCommit = async (clone: string, text: string): Promise<string> => {
			await writeFile(join(clone, 'note.txt'), text);
			await must(clone, 'add', '.');
			await must(clone, 'commit', '-qm', text);
			return (await must(clone, 'rev-parse', 'HEAD')).trim();
		};

		test('a clone has the files, the tags and a sound history', async () => {
			const clone = join(dir, 'clone');
			await must(dir, 'clone', '-q', front('~alice/lantern'), clone);
			assert.match(await readFile(join(clone, 'README.md'), 'utf8'), /^# Lantern/);
			await must(clone, 'fsck', '--strict');
			assert.match(await must(clone, 'tag'), /^v0\.9\.0$/m);
			const head = (await must(clone, 'rev-parse', 'HEAD')).trim();
			const log = await forge.call('git', 'GET', '/api/repos/lantern/log');
			assert.equal(dialect === 'field' ? log.at('results', 0, 'id') : log.at(0, 'id'), head);
		});

		test('a recursive clone has the submodule', async () => {
			await must(
				dir,
				'-c',
				'protocol.http.allow=always',
				'clone',
				'-q',
				'--recurse-submodules',
				front('~alice/lantern'),
				'deep',
			);
			assert.match(await readFile(join(dir, 'deep', 'lib', 'wick', 'README.md'), 'utf8'), /^# wick/);
		});

		test('clones an empty and an unlisted repository, but no private or missing one', async () => {
			await must(dir, 'clone', '-q', front('~alice/scratch'), 'scratch');
			await must(dir, 'clone', '-q', front('~bob/dotfiles'), 'dotfiles');
			for (const name of ['~alice/diary', '~bob/sketches', '~alice/nothing', '~nobody/x']) {
				assert.notEqual((await git(dir, 'clone', '-q', front(name), 'no')).code, 0, name);
			}
		});

		test('the public address rejects a push', async () => {
			await must(dir, 'clone', '-q', front('~bob/wick'), 'front');
			await addCommit(join(dir, 'front'), 'one');
			const pushed = await git(join(dir, 'front'), 'push', 'origin', 'master');
			assert.notEqual(pushed.code, 0);
			assert.match(pushed.output, /403/);
		});

		test('the push address checks the user’s access', async () => {
			await must(dir, 'clone', '-q', back('~alice/diary'), 'diary');
			assert.notEqual((await git(dir, 'clone', '-q', back('~alice/diary', 'bob'), 'no')).code, 0);
			const nobody = `${forge.areas.git.replace('://', '://git:wrong@')}/ssh/~alice/diary`;
			assert.notEqual((await git(dir, 'clone', '-q', nobody, 'no')).code, 0);
			await must(dir, 'clone', '-q', back('~bob/roadmap'), 'roadmap');
			await addCommit(join(dir, 'roadmap'), 'reading is not writing');
			assert.match((await git(join(dir, 'roadmap'), 'push', 'origin', 'master')).output, /403/);
		});

		test('a push triggers webhooks, and the pusher sees the response of a sync one', async () => {
			const receiver = await startReceiver('built \u001B[31mred\u001B[0m\nsee the log\n');
			const later = await startReceiver('not shown');
			const hooks = '/api/~alice/repos/lantern-plugins/webhooks';
			const events = ['repo:post-update'];
			await forge.call('git', 'POST', hooks, { body: { url: receiver.url, events, sync: true } });
			await forge.call('git', 'POST', hooks, { body: { url: later.url, events } });
			const clone = join(dir, 'plugins');
			await must(dir, 'clone', '-q', back('~alice/lantern-plugins'), clone);
			const old = (await must(clone, 'rev-parse', 'HEAD')).trim();
			const made = await addCommit(clone, 'A note');
			await must(clone, 'tag', '-a', 'v9', '-m', 'Nine');
			const output = await must(clone, 'push', 'origin', 'master', 'v9', 'HEAD:refs/heads/topic/x');
			await forge.webhooksDelivered();
			receiver.close();
			later.close();
			assert.match(output, /remote: built red\s*\nremote: see the log/);
			assert.doesNotMatch(output, /not shown/);
			assert.equal(receiver.received.length, 1);
			assert.deepEqual(later.received[0]?.body, receiver.received[0]?.body);
			const { body, headers } = receiver.received[0] ?? {};
			assert.equal(headers?.['x-webhook-event'], 'repo:post-update');
			assert.match(String(partOf(body, ['push'])), /^[0-9a-f-]{36}$/);
			assert.equal(partOf(body, ['pusher', 'canonical_name']), '~alice');
			assert.equal(partOf(body, ['pusher', 'email']), dialect === 'field' ? undefined : 'alice@forge.test');
			const refs = Object.values(fieldsOf(partOf(body, ['refs'])));
			const of = (name: string): unknown => refs.find((ref) => partOf(ref, ['name']) === name);
			assert.deepEqual(
				refs.map((ref) => partOf(ref, ['name'])),
				['refs/heads/master', 'refs/heads/topic/x', 'refs/tags/v9'],
			);
			assert.equal(partOf(of('refs/heads/master'), ['old', 'id']), old);
			assert.equal(partOf(of('refs/heads/master'), ['new', 'id']), made);
			assert.equal(partOf(of('refs/heads/topic/x'), ['old']), null);
			assert.equal(partOf(of('refs/tags/v9'), ['new', 'id']), made);
			assert.deepEqual(partOf(of('refs/tags/v9'), ['annotated_tag']), { name: 'v9', message: 'Nine\n' });
			const listed = await forge.call('git', 'GET', '/api/repos/lantern-plugins/lookup/master');
			assert.equal(listed.text, made);
		});

		test('a removed reference has no new commit in the delivery', async () => {
			const receiver = await startReceiver('');
			const body = { url: receiver.url, events: ['repo:post-update'], sync: true };
			await forge.call('git', 'POST', '/api/~alice/repos/lantern/webhooks', { body });
			const clone = join(dir, 'removing');
			await must(dir, 'clone', '-q', back('~alice/lantern'), clone);
			await must(clone, 'push', 'origin', ':release/0.9', ':v0.8.0');
			receiver.close();
			const refs = Object.values(fieldsOf(partOf(receiver.received[0]?.body, ['refs'])));
			assert.deepEqual(
				refs.map((ref) => [partOf(ref, ['name']), partOf(ref, ['new'])]),
				[
					['refs/heads/release/0.9', null],
					['refs/tags/v0.8.0', null],
				],
			);
			assert.match(String(partOf(refs[1], ['old', 'message'])), /^Release 0\.8\.0/);
			const refused = await git(clone, 'push', 'origin', ':master');
			assert.notEqual(refused.code, 0);
			assert.equal(receiver.received.length, 1);
		});

		test('pushing to a free name creates a private repository', async () => {
			const clone = join(dir, 'new');
			await must(dir, 'init', '-q', '-b', 'master', clone);
			const made = await addCommit(clone, 'first');
			await must(clone, 'push', back('~alice/from-a-push'), 'master');
			assert.equal((await forge.call('git', 'GET', '/api/repos/from-a-push')).at('visibility'), 'private');
			assert.equal((await forge.call('git', 'GET', '/api/repos/from-a-push/lookup/HEAD')).text, made);
			assert.notEqual((await git(clone, 'push', back('~bob/not-mine'), 'master')).code, 0);
		});

		test('creating, changing and deleting a repository triggers webhooks', async () => {
			const receiver = await startReceiver('');
			const events = ['repo:create', 'repo:update', 'repo:delete'];
			await forge.call('git', 'POST', '/api/user/webhooks', { body: { url: receiver.url, events } });
			const made = await forge.call('git', 'POST', '/api/repos', { body: { name: 'told' } });
			await forge.webhooksDelivered();
			const changed = await forge.call('git', 'PUT', '/api/repos/told', { body: { description: 'new' } });
			await forge.webhooksDelivered();
			await forge.call('git', 'DELETE', '/api/repos/told');
			await forge.webhooksDelivered();
			receiver.close();
			assert.deepEqual(
				receiver.received.map(({ headers, body }) => [headers['x-webhook-event'], body]),
				[
					['repo:create', made.json],
					['repo:update', changed.json],
					['repo:delete', { id: made.at('id') }],
				],
			);
		});

		test('a reset restores all repositories', async () => {
			await forge.reset();
			assert.equal((await forge.call('git', 'GET', '/api/repos/from-a-push')).status, 404);
			assert.equal((await forge.call('git', 'GET', '/api/repos/lantern/lookup/master')).status, 200);
			await must(dir, 'clone', '-q', front('~alice/lantern'), 'again');
		});
	});
}

suite('Sample forge: lines for the pusher', () => {
	test('are inserted before the end of a response with side-bands', () => {
		const answer = Buffer.from('000a\u0001hello0000');
		assert.equal(printToPusher(answer, 'hi').toString('latin1'), '000a\u0001hello0008\u0002hi\n0000');
	});

	test('are not inserted without side-bands, and an empty text changes nothing', () => {
		const plain = Buffer.from('000eunpack ok\n0000');
		assert.equal(printToPusher(plain, 'hi'), plain);
		const banded = Buffer.from('000a\u0001hello0000');
		assert.equal(printToPusher(banded, ''), banded);
		assert.equal(printToPusher(Buffer.from('zzzz'), 'hi').toString('latin1'), 'zzzz');
	});
});
