import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { limitMs } from '../../../test/support/pace.ts';
import { fieldsOf, type CallOptions, type RawAnswer, type SampleForge } from '../../../test/support/sampleForge.ts';
import { sharedForge } from '../../../test/support/sharedForge.ts';

const devel = '/api/lists/lantern-devel';
const short = { name: 'lantern-devel', owner: { canonical_name: '~alice', name: 'alice' } };

suite('Sample forge, document dialect: lists', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await sharedForge('document');
	});

	const lists = async (method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<RawAnswer> =>
		await forge.call('lists', method, path, body === undefined ? options : { ...options, body });

	const rowsOf = async (path: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
		const { json } = await lists('GET', path);
		assert.ok(Array.isArray(json), path);
		return json.map(fieldsOf);
	};

	test('lists are bare arrays without ids, and permissions contain only the granted words', async () => {
		const [first] = await rowsOf('/api/lists');
		assert.deepEqual(Object.keys(first!), ['name', 'owner', 'created', 'updated', 'description', 'permissions']);
		assert.deepEqual(fieldsOf(first!['permissions'])['account'], ['browse', 'reply', 'post']);
	});

	test('posts are all mails of the list as whole resources, with only the mail in the envelope', async () => {
		const posts = await rowsOf(`${devel}/posts`);
		assert.ok(posts.length > 150);
		assert.ok(posts.some(({ parent_id: parent }) => parent !== null));
		const [newest] = posts;
		assert.equal(
			Object.keys(newest!).join(' '),
			'id created subject message_id parent_id thread_id list sender is_patch is_request_pull replies participants envelope',
		);
		assert.deepEqual(newest!['list'], short);
		assert.ok(posts.every(({ envelope }) => String(envelope).startsWith('From: ')));
		assert.ok(posts.every(({ thread_id: thread }) => typeof thread === 'number'));
	});

	test('a thread has short forms in order, and only the first mail has one', async () => {
		const mails = await rowsOf(`${devel}/posts`);
		const first = mails.find(({ subject }) => subject === 'Should the default key bindings change?')!;
		const thread = await rowsOf(`/api/thread/${String(first['id'])}`);
		assert.equal(thread.length, 46);
		assert.ok(thread.every((mail) => !('envelope' in mail) && mail['thread_id'] === first['id']));
		const ids = thread.map(({ id }) => Number(id));
		assert.deepEqual(
			ids,
			ids.toSorted((a, b) => a - b),
		);
		assert.equal((await lists('GET', `/api/thread/${ids[1]}`)).status, 404);
	});

	test('a patchset has its list, its cover letter and its successor', async () => {
		const sets = (await rowsOf(`${devel}/patchsets`)).filter(({ subject }) => subject === 'manual: one voice');
		const [third, second, first] = sets;
		assert.equal(
			Object.keys(first!).join(' '),
			'id created updated subject prefix version status list cover_letter superseded_by',
		);
		assert.deepEqual(first!['list'], short);
		assert.equal(fieldsOf(first!['cover_letter'])['subject'], '[PATCH lantern 0/2] manual: one voice');
		assert.equal(fieldsOf(first!['superseded_by'])['id'], second!['id']);
		assert.equal(fieldsOf(second!['superseded_by'])['id'], third!['id']);
		assert.equal(third!['superseded_by'], null);
	});

	test('a new version supersedes the old one automatically', async () => {
		const mail = (version: string, id: string): string =>
			`From: Bob <bob@forge.test>\nTo: x@y\nSubject: [PATCH lantern${version}] tea\nMessage-ID: <${id}>\n\n---\ndiff --git a/f b/f\nindex 1..2\n`;
		await forge.act('/lists/mail', { list: '~alice/lantern-devel', mail: mail('', 'v1@x') });
		await forge.act('/lists/mail', { list: '~alice/lantern-devel', mail: mail(' v2', 'v2@x') });
		const [newer, older] = await rowsOf(`${devel}/patchsets`);
		assert.deepEqual([newer!['status'], older!['status']], ['proposed', 'superseded']);
		assert.equal(fieldsOf(older!['superseded_by'])['id'], newer!['id']);
	});

	test('patches:read permits status changes, the status is optional, and other users get 403 as JSON', async () => {
		const [set] = await rowsOf(`${devel}/patchsets`);
		const path = `/api/user/~alice/lists/lantern-devel/patchsets/${String(set!['id'])}`;
		const token = await forge.token('alice', ['patches:read']);
		assert.equal((await lists('PUT', path, { status: 'approved' }, { token })).at('status'), 'approved');
		assert.equal((await lists('PUT', path, {}, { token })).at('status'), 'approved');
		const refused = await lists('PUT', path, { status: 'applied' }, { token: forge.tokens.bob });
		assert.deepEqual([refused.status, refused.at('errors', 0, 'reason')], [403, '403 forbidden']);
		assert.equal((await lists('GET', `${devel}/patchsets/abc`)).status, 404);
		const other = await forge.token('alice', ['lists:read']);
		assert.equal((await lists('GET', '/api/emails', undefined, { token: other })).status, 403);
	});

	test('the newest patchsets apply to a clone of their repository', async function () {
		this.timeout(limitMs(30_000));
		const directory = await mkdtemp(join(tmpdir(), 'forge-apply-'));
		const git = async (...args: readonly string[]): Promise<string> => {
			const env = { ...process.env, HOME: directory, GIT_CONFIG_NOSYSTEM: '1' };
			const who = ['-c', 'user.name=Alice', '-c', 'user.email=alice@forge.test', '-c', 'commit.gpgSign=false'];
			return (await promisify(execFile)('git', [...who, ...args], { env, cwd: directory })).stdout;
		};
		try {
			await git('clone', '--quiet', `${forge.areas.git}/~alice/lantern`, 'clone');
			const open = (await rowsOf(`${devel}/patchsets`)).filter(({ created }) => String(created) >= '2026-08-01');
			const sets = open.filter(({ status, subject }) => status === 'proposed' && subject !== 'tea');
			assert.ok(sets.length >= 3);
			for (const set of sets) {
				const mbox = await lists('GET', `/~alice/lantern-devel/patches/${String(set['id'])}/mbox`, undefined, {
					token: null,
				});
				await writeFile(join(directory, 'set.mbox'), mbox.text);
				// Each on a fresh branch: versions of one series conflict.
				await git('-C', 'clone', 'checkout', '--quiet', '-B', 'try', 'origin/master');
				await git('-C', 'clone', 'am', '--quiet', '../set.mbox');
			}
		} finally {
			await rm(directory, { recursive: true, force: true });
		}
	});
});
