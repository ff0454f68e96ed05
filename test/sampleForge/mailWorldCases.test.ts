import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Patchset as ForgePatchset } from 'sourcehut/port/list.ts';
import { readMail } from 'patchmail/mail/readMail.ts';
import type { Email, MailingList, Patchset } from 'sample-forge/lists/mailModel.ts';
import { createMailStore, submitterOf, type MailStore } from 'sample-forge/lists/mailStore.ts';
import { tellMailWorld } from '../../packages/sample-forge/testing/worlds/lists/mailWorld.ts';
import { oddThings } from '../../packages/sample-forge/testing/odd/oddThings.ts';
import { testPeople } from '../../packages/sample-forge/testing/worlds/testPeople.ts';
import { createUsers } from 'sample-forge/identity/users.ts';
import { ticketsNamed } from '../../src/store/mentions/namedTickets.ts';
import { pullRequestOf } from 'patchmail/series/pullRequest.ts';
import { readSeries } from 'patchmail/series/series.ts';
import type { GivenTrailer, SeriesMail, SeriesReading } from 'patchmail/series/seriesReading.ts';
import { suggestStatus } from 'patchmail/series/suggestions.ts';
import { trailersOfThread } from 'patchmail/series/threadTrailers.ts';
import { versionsAmong } from 'patchmail/series/versions.ts';
import { makePatchset } from '../support/makeMail.ts';
import { limitMs } from '../support/pace.ts';

interface Standing {
	readonly series: SeriesReading;
	readonly trailers: readonly GivenTrailer[];
	readonly thread: readonly SeriesMail[];
	readonly versions: readonly (readonly [number, string | undefined])[];
	readonly suggestions: readonly string[];
	readonly tickets: readonly string[];
}

/** Edge cases of lists and patchsets, with one example of each in the sample world, read by the client. */
for (const isLinking of [false, true]) {
	suite(`Sample forge: edge cases of series, ${isLinking ? 'versions linked' : 'versions not linked'}`, function () {
		this.timeout(limitMs(60_000));
		let directory: string;
		let store: MailStore;

		suiteSetup(async () => {
			directory = await mkdtemp(join(tmpdir(), 'forge-cases-'));
			const users = createUsers('forge.test', testPeople);
			store = createMailStore(users, isLinking);
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
			await tellMailWorld(store, context, directory, oddThings.threads);
		});

		suiteTeardown(() => rm(directory, { recursive: true, force: true }));

		function setOf(subject: string, version = 1): Patchset {
			const found = store.lists
				.flatMap((list) => list.patchsets)
				.filter((set) => set.subject === subject && set.version === version);
			assert.equal(found.length, 1, subject);
			return found[0]!;
		}

		/** In the form of a server's response. */
		function told(set: Patchset): ForgePatchset {
			return makePatchset({
				id: set.id,
				createdMs: set.createdMs,
				subject: set.subject,
				prefix: set.prefix,
				version: set.version,
				status: set.status,
				submitter: submitterOf(set),
				supersededById: isLinking ? set.supersededBy?.id : undefined,
			});
		}

		async function read(email: Email): Promise<SeriesMail> {
			return {
				id: email.id,
				messageId: email.messageId,
				parentId: email.parent?.id,
				createdMs: email.createdMs,
				subject: email.message.subject,
				account: email.sender === null ? undefined : `~${email.sender.name}`,
				reading: await readMail(`From nobody Fri Mar  1 08:00:00 2024\r\n${email.text}`, { evenIfLarge: false }),
			};
		}

		async function threadOf(email: Email): Promise<readonly SeriesMail[]> {
			const root = email.root ?? email;
			return await Promise.all([root, ...root.answers].map(read));
		}

		async function standingOf(set: Patchset): Promise<Standing> {
			const thread = await threadOf(set.patches[0]!);
			const series = readSeries(thread, { version: set.version, usualPrefix: 'lantern', isOfForge: true });
			const trailers = trailersOfThread(thread, series);
			const patchset = told(set);
			const versions = versionsAmong(patchset, set.list.patchsets.map(told), {
				linked: [],
				unlinked: [],
				stated: [],
			});
			const suggestions = suggestStatus({
				patchset,
				versions,
				series,
				thread,
				maintainers: [`~${set.list.owner.name}`],
			});
			const texts = [series.cover, ...series.patches.map(({ mail }) => mail)].flatMap((mail) =>
				mail?.reading.kind === 'read' ? ticketsNamed(mail.reading.mail.text, ['http://127.0.0.1:2'], mail.id) : [],
			);
			return {
				series,
				trailers,
				thread,
				versions: versions.map(({ patchset: each, link }) => [each.version, link]),
				suggestions: suggestions.map(
					(each) => `${each.kind} ${'by' in each ? `v${each.by.version}` : 'quote' in each ? each.quote : ''}`,
				),
				tickets: texts.map(({ owner, name, id, trailer }) => `${trailer ?? 'named'} ${owner}/${name}#${id}`),
			};
		}

		function list(name: string): MailingList {
			return store.lists.find((each) => each.name === name)!;
		}

		test('finds a newer version without a link by its subject, and suggests superseded', async () => {
			const first = await standingOf(setOf('mouse: Drag to select'));
			assert.deepEqual(first.versions, [
				[1, undefined],
				[2, 'subject'],
			]);
			assert.deepEqual(first.suggestions, ['superseded v2']);
		});

		test('links three versions of one series, by the server or by subject', async () => {
			const link = isLinking ? 'forge' : 'subject';
			const last = await standingOf(setOf('manual: one voice', 3));
			assert.deepEqual(last.versions, [
				[1, link],
				[2, link],
				[3, undefined],
			]);
		});

		test('sorts patches that arrived out of order, and collects trailers of several people', async () => {
			const second = await standingOf(setOf('mouse: drag to select', 2));
			assert.deepEqual(
				second.series.patches.map(({ index, patch }) => [index, patch.subject]),
				[
					[1, 'mouse: remember where the button went down'],
					[2, 'manual: selecting with the mouse'],
					[3, 'test: drag from one window into another'],
				],
			);
			assert.deepEqual(second.series.problems, [{ kind: 'wrongOrder' }]);
			assert.deepEqual(
				second.trailers
					.filter(({ isInPatch }) => !isInPatch)
					.map(({ key, patchIndexes, isForOther }) => [key, patchIndexes, isForOther]),
				[
					['Tested-by', [1, 2, 3], false],
					['Reviewed-by', [2], false],
					['Reported-by', [2], true],
				],
			);
			assert.deepEqual(
				second.trailers
					.filter(({ isInPatch, patchIndexes }) => isInPatch && patchIndexes[0] === 1)
					.map(({ key }) => key),
				['Co-developed-by', 'Signed-off-by'],
			);
			assert.deepEqual(second.tickets, [
				'References ~alice/lantern#121',
				'named ~alice/lantern#88',
				'Fixes ~alice/lantern#93',
			]);
			assert.deepEqual(second.suggestions, ['revisionAskedInThread Please send a v3 with a mouse_up().']);
		});

		test('suggests a status by replies of the maintainer, not by those of an impostor', async () => {
			const clock = await standingOf(setOf('status: the time, for those in meetings'));
			assert.deepEqual(clock.suggestions, [
				'appliedInThread To git@git.forge.test:~alice/lantern 51d7f3a..c41e0b7  master -> master',
			]);
			assert.ok(clock.thread.some(({ reading }) => reading.kind === 'raw' && reading.reason === 'noPlainText'));
			const backup = await standingOf(setOf('save: keep one backup'));
			assert.deepEqual(backup.suggestions, ['approvedInThread Reviewed-by: Alice Öberg <alice@forge.test>']);
			assert.deepEqual(
				backup.trailers.map(({ key, isForOther }) => [key, isForOther]),
				[
					['Tested-by', true],
					['Reviewed-by', false],
				],
			);
			const cautions = backup.thread.flatMap(({ reading }) => (reading.kind === 'read' ? reading.mail.cautions : []));
			assert.deepEqual(cautions, [{ kind: 'nameHoldsAddress', address: 'alice@forge.test' }]);
			assert.deepEqual(backup.tickets, ['Implements ~alice/lantern#76']);
		});

		test('names the damage of mail programs', async () => {
			const kindsOf = async (subject: string, version = 1): Promise<readonly string[]> =>
				(await standingOf(setOf(subject, version))).series.problems.map(({ kind }) => kind);
			assert.deepEqual(await kindsOf('keys: mention the mouse'), ['wrappedLines']);
			// Git joins its empty lines of context with the lines after them.
			assert.deepEqual(await kindsOf('keys: mention the mouse', 2), ['flowed', 'inDoubt']);
			// Git writes this order with a prefix of the user, but the forge takes the version for a part of the prefix.
			assert.deepEqual(await kindsOf('status: no more than the screen is wide'), ['wrongPrefix']);
			assert.deepEqual(await kindsOf('search: literal by default', 3), ['wrongPrefix']);
			assert.deepEqual(await kindsOf('fold: nest as deep as you like', 2), []);
			assert.deepEqual(await kindsOf('packaging: tidy the scripts'), []);
			assert.deepEqual(await kindsOf('icons: a lamp for the high contrast theme'), []);
			assert.deepEqual(await kindsOf('test: one more line with a carriage return'), []);
			assert.deepEqual(await kindsOf('po: русский перевод'), []);
		});

		test('threads show a missing part and an attached patch', async () => {
			const problemsIn = async (subject: string): Promise<readonly string[]> => {
				const email = list('lantern-devel').emails.find(({ message }) => message.subject === subject)!;
				return readSeries(await threadOf(email)).problems.map((problem) =>
					problem.kind === 'missingParts' ? `missing ${problem.indexes.join(' ')} of ${problem.count}` : problem.kind,
				);
			};
			assert.deepEqual(await problemsIn('[PATCH lantern 1/3] status: a longer line'), ['missing 2 of 3']);
			assert.deepEqual(await problemsIn('[PATCH lantern] themes: 夕焼け, a theme for the evening'), ['attachedPatch']);
		});

		test('a pull request names a repository of this forge and a ticket by its address', async () => {
			const email = list('lantern-devel').emails.find(({ message }) => message.subject.startsWith('[GIT PULL]'))!;
			const { reading } = await read(email);
			assert.ok(reading.kind === 'read');
			const pull = pullRequestOf(reading.mail.text);
			assert.deepEqual([pull?.repository, pull?.reference], ['http://127.0.0.1:3/~carol/lantern-docs', 'master']);
			assert.deepEqual(
				ticketsNamed(reading.mail.text, ['http://127.0.0.1:2'], 1).map(({ name, id }) => [name, id]),
				[['lantern', 121]],
			);
		});

		test('the owner of one list has a patchset open on another', () => {
			const set = setOf('scan: skip a byte order mark');
			assert.deepEqual([set.list.name, set.status], ['wick-devel', 'proposed']);
			assert.match(submitterOf(set), /alice@forge\.test/);
		});
	});
}
