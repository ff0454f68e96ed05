import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Email, Patchset } from '../src/lists/mailModel.ts';
import { createMailStore, type MailStore } from '../src/lists/mailStore.ts';
import { tellMailWorld } from '../testing/worlds/lists/mailWorld.ts';
import { oddThings } from '../testing/odd/oddThings.ts';
import { testPeople } from '../testing/worlds/testPeople.ts';
import { createUsers } from '../src/identity/users.ts';
import { tellManyPatches } from '../testing/manyPatches.ts';
import { worldEndMs } from '../testing/worlds/worldTime.ts';

suite('Sample forge: sample mails', () => {
	let directory: string;
	let world: MailStore;

	const tell = async (cacheDir: string, series = 0): Promise<MailStore> => {
		const users = createUsers('forge.test', testPeople);
		const store = createMailStore(users, true);
		const context = {
			users,
			tempDir: directory,
			mailDomain: 'forge.test',
			origins: {
				meta: 'http://127.0.0.1:1',
				todo: 'http://127.0.0.1:2',
				git: 'http://127.0.0.1:3',
				lists: 'http://127.0.0.1:4',
			},
		};
		await tellMailWorld(store, context, join(directory, cacheDir), oddThings.threads);
		if (series > 0) {
			await tellManyPatches({ context, store }, series, join(directory, cacheDir));
		}
		return store;
	};

	const hashOf = ({ lists }: MailStore): string => {
		const told = lists.map(({ id, name, emails, patchsets }) => [
			id,
			name,
			emails.map((email) => [email.id, email.createdMs, email.parent?.id, email.patchset?.id, email.text]),
			patchsets.map((set) => [set.id, set.updatedMs, set.status, set.supersededBy?.id]),
		]);
		return createHash('sha256').update(JSON.stringify(told)).digest('hex');
	};

	suiteSetup(async () => {
		directory = await mkdtemp(join(tmpdir(), 'forge-world-'));
		world = await tell('first');
	});

	suiteTeardown(async () => {
		await rm(directory, { recursive: true, force: true });
	});

	const emails = (): readonly Email[] => world.lists.flatMap((list) => list.emails);
	const patchsets = (): readonly Patchset[] => world.lists.flatMap((list) => list.patchsets);

	test('a second build and the cache give the same mails', async () => {
		const again = await tell('second');
		const kept = await tell('second');
		assert.equal(hashOf(again), hashOf(world));
		assert.equal(hashOf(kept), hashOf(world));
	});

	test('a build replaces a damaged cache', async () => {
		await tell('third');
		const [name = ''] = await readdir(join(directory, 'third'));
		await writeFile(join(directory, 'third', name), '{"undo-cursor":{"mails":["');
		assert.equal(hashOf(await tell('third')), hashOf(world));
		assert.deepEqual(await readdir(join(directory, 'third')), [name]);
	});

	test('has many lists, mails and patchsets, all in the past', () => {
		assert.ok(world.lists.length >= 3);
		assert.ok(emails().length >= 200, String(emails().length));
		assert.ok(patchsets().length >= 20, String(patchsets().length));
		assert.ok(emails().every(({ createdMs }) => createdMs <= worldEndMs));
		assert.equal(new Set(emails().map(({ messageId }) => messageId)).size, emails().length);
	});

	test('patchsets have every status, several versions, and some no cover letter', () => {
		const statuses = new Set(patchsets().map(({ status }) => status));
		assert.deepEqual([...statuses].toSorted(), [
			'applied',
			'approved',
			'needs_revision',
			'proposed',
			'rejected',
			'superseded',
		]);
		const voices = patchsets().filter(({ subject }) => subject === 'manual: one voice');
		assert.deepEqual(
			voices.map(({ version }) => version),
			[1, 2, 3],
		);
		assert.deepEqual(
			voices.map(({ supersededBy }) => supersededBy?.version),
			[2, 3, undefined],
		);
		assert.ok(patchsets().some(({ coverLetter }) => coverLetter === null));
	});

	test('a version sent as a reply and a series with a missing part form no patchset', () => {
		const third = emails().filter(({ place, message }) => {
			return message.holdsPatch && place?.version === 3 && place.subject.startsWith('search: go on');
		});
		assert.deepEqual(
			third.map(({ patchset, root }) => [patchset?.id, root?.place?.version]),
			[[undefined, 1]],
		);
		const parts = emails().filter(({ place, message }) => {
			return message.holdsPatch && place?.count === 3 && place.subject.startsWith('status:');
		});
		assert.deepEqual(
			parts.map(({ place, patchset }) => [place?.index, patchset?.id]),
			[
				[1, undefined],
				[3, undefined],
			],
		);
	});

	const headers: readonly (readonly [what: string, pattern: RegExp])[] = [
		['quoted-printable', /^Content-Transfer-Encoding: quoted-printable/m],
		['base64', /^Content-Transfer-Encoding: base64/m],
		['Latin-1', /charset=iso-8859-1/],
		['KOI8-R', /charset=koi8-r/],
		['an attached patch', /^Content-Type: text\/x-patch/m],
		['a signature', /^Content-Type: multipart\/signed/m],
		['flowed text', /format=flowed/],
		['a binary patch', /^GIT binary patch/m],
		['a rename', /^rename from test\/run\.sh/m],
		['a mode change', /^old mode 100755/m],
		['a quoted name', /^\+\+\+ "b\/.*\\3/m],
		['a file without last line end', /^\\ No newline at end of file/m],
		['a review trailer', /^Reviewed-by: /m],
		['a quoted hunk', /^> @@ -\d+/m],
		['an author in the body', /^\r\nFrom: "?R\. Iyer/m],
		['bytes that were no UTF-8', /\ufffd/],
	];

	for (const [what, pattern] of headers) {
		test(`some mail has ${what}`, () => {
			const plain = emails().some(({ text, message }) => pattern.test(text) || pattern.test(message.text));
			assert.ok(plain);
		});
	}

	test('some senders have no account, and one discussion is long and deep', () => {
		assert.ok(emails().some(({ sender }) => sender === null));
		const longest = emails().toSorted((a, b) => b.answers.length - a.answers.length)[0]!;
		assert.ok(longest.answers.length >= 40);
		const depth = (email: Email): number => (email.parent === null ? 0 : 1 + depth(email.parent));
		assert.ok(Math.max(...longest.answers.map(depth)) >= 8);
	});

	test('generates a long series and a wide patch on request', async () => {
		const many = (await tell('many', 30)).lists.find(({ name }) => name === 'many')!;
		const [wide, long] = many.patchsets.toSorted((a, b) => a.patches.length - b.patches.length);
		assert.equal(long?.patches.length, 30);
		assert.ok(long.patches.every(({ text }) => text.length > 8000));
		assert.equal(wide?.patches.length, 1);
		assert.equal(wide.patches[0]?.text.match(/^diff --git /gm)?.length, 150);
	});
});
