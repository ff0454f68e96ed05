import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { readSeries } from 'patchmail/series/series.ts';
import { trailersOfThread } from 'patchmail/series/threadTrailers.ts';
import type { PullRequestMail } from 'patchmail/series/seriesReading.ts';
import type { Patchset } from 'sourcehut/port/list.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import type { PatchsetReview } from '../../../../../src/store/lists/patchsets/patchsetReview.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { makeMail } from '../../../../support/makeMail.ts';
import { makeReading, makeSeriesMail, patchText } from '../../../../support/makeSeries.ts';
import { patchsetWorld } from '../../../../support/patchsetWorld.ts';

const { standingView } = await import('../../../../../src/features/review/patchset/standingView.ts');
const { patchView, withoutStatistics } = await import('../../../../../src/features/review/patchset/patchView.ts');
const { problemAdvice } = await import('../../../../../src/features/review/patchset/standingView.ts');
const { headView } = await import('../../../../../src/features/review/patchset/headView.ts');

const never = new AbortController().signal;

interface Read {
	readonly connection: Connection;
	readonly standing: PatchsetReview;
}

async function read(me = '~alice'): Promise<Read> {
	const { api, ref } = patchsetWorld(me);
	const connection = listConnection(api, me);
	return { connection, standing: await connection.reviews.read(ref, never) };
}

function viewOf({ connection, standing }: Read, change: Partial<PatchsetReview> = {}): ReturnType<typeof standingView> {
	return standingView(listsParts(fakeConnections(connection)), connection, { ...standing, ...change }, undefined, []);
}

suite('patchset page from its messages', () => {
	test('links the repository of a pull request only on a forge with an account', async () => {
		const known = await read();
		const linkOf = (repository: string): string | undefined => {
			const pullRequest: PullRequestMail = { repository, reference: 'main', since: undefined, upTo: undefined };
			return viewOf(known, { pullRequest }).pull?.href;
		};
		assert.equal(linkOf('https://git.forge.test/~bob/lantern'), 'https://git.forge.test/~bob/lantern');
		for (const repository of [
			'https://evil.test/~bob/lantern',
			'https://git.forge.test.evil.test/x',
			'https://git.forge.test@evil.test/x',
			'http://git.forge.test/~bob/lantern',
			'git@git.forge.test:~bob/lantern',
			'ext::sh -c touch%20x',
			'--upload-pack=touch x',
			'ssh://-oProxyCommand=x/y',
			'file:///etc/passwd',
			'javascript:alert(1)',
			'command:workbench.action.quit',
			'',
		]) {
			assert.equal(linkOf(repository), undefined, repository);
		}
	});

	test('counts the versions that only the thread has, with a link to the thread', async () => {
		const { api, world, ref } = patchsetWorld();
		for (let version = 10; version < 62; version += 1) {
			const subject = `[PATCH lantern v${version}] fold: again`;
			world.mails.push(
				makeMail({ id: 90 + version, subject, isPatch: true, parentId: 20, threadId: 20, text: patchText('a.c') }),
			);
		}
		const connection = listConnection(api);
		const standing = await connection.reviews.read(ref, never);
		const { problem, advice, mailId } = viewOf({ connection, standing }).health.at(-1)!;
		assert.deepEqual(
			[problem, advice, mailId],
			['2 older versions in this thread are not listed.', 'Open the thread to read the older messages.', 20],
		);
	});

	test('names the forge as the source of a version, but not an archive', async () => {
		const known = await read();
		const linkOf = (status: Patchset['status']): string => {
			const patchset = { ...known.standing.patchset, status };
			return viewOf(known, { versions: [{ patchset, link: 'forge', likeness: undefined }] }).versions[0]!.link;
		};
		assert.deepEqual(
			[linkOf('proposed'), linkOf('none')],
			['linked by the forge', 'same sender, and same title or change-id'],
		);
	});

	test('warns about no sender after its message left the cache', async () => {
		const { connection, standing } = await read();
		const [patch] = standing.series.patches;
		const from = [{ name: 'Bob (~bob)', address: 'bob@forge.test' }];
		assert.ok(patch?.mail.reading.kind === 'read');
		const reading = { ...patch.mail.reading, mail: { ...patch.mail.reading.mail, from, cautions: [] } };
		const mail = { ...patch.mail, id: 999, account: '~bob', reading };
		const cover = { ...mail, id: 998 };
		assert.deepEqual(patchView(connection, standing, { ...patch, mail }).cautions, []);
		assert.deepEqual(viewOf({ connection, standing }, { series: { ...standing.series, cover } }).cautions, []);
		const stranger = { ...mail, account: '~mallory' };
		assert.match(patchView(connection, standing, { ...patch, mail: stranger }).cautions.join(' '), /mentions ~bob/);
	});

	test('shows both readings of a patch that git reads differently, with a warning', async () => {
		const { connection, standing } = await read();
		const shown = patchText('a.c');
		const gitPatch = shown.replace('a.c |', 'b.c |').replaceAll('/a.c', '/b.c');
		const reading = makeReading({
			body: shown,
			text: shown,
			gitPatch,
			doubts: [{ kind: 'repeatedField', name: 'Content-Type' }],
		});
		const series = readSeries([makeSeriesMail({ id: 1, subject: '[PATCH] Part', reading })]);
		assert.deepEqual(series.problems, [{ kind: 'inDoubt', mailId: 1, isOtherPatch: true }]);
		const [patch] = series.patches;
		assert.ok(patch);
		const { cautions, applied, files } = patchView(connection, standing, patch);
		assert.deepEqual(cautions, [
			'This message has more than one Content-Type header; programs, including git, read it differently.',
			'Git reads this message differently: "What git would apply" is not the patch shown here.',
		]);
		assert.equal(files[0]?.path, 'a.c');
		assert.match(JSON.stringify(applied), /diff --git a\/b\.c b\/b\.c/);
		const nothing = makeReading({ body: shown, text: shown, gitPatch: '' });
		const [alone] = readSeries([makeSeriesMail({ id: 1, subject: '[PATCH] Part', reading: nothing })]).patches;
		assert.ok(alone);
		const empty = patchView(connection, standing, alone);
		assert.deepEqual(
			[empty.cautions, empty.applied],
			[['Git reads this message differently and finds no patch in it.'], []],
		);
	});

	test('shows a commit message that only git reads, and marks its trailers', async () => {
		const { connection, standing } = await read();
		const body = patchText('a.c', 'Fill the lamp.');
		const hidden = 'Reviewed-by: Mal Ice <mal@forge.test>';
		const toGit = { from: 'Bob <bob@forge.test>', subject: '[PATCH] Part', letter: `Fill the lamp.\n${hidden}\n` };
		const reading = makeReading({ body, text: body, toGit, doubts: [{ kind: 'otherMessage' }, { kind: 'lostBytes' }] });
		const series = readSeries([makeSeriesMail({ id: 1, subject: '[PATCH] Part', reading })]);
		const [patch] = series.patches;
		assert.ok(patch);
		const { cautions, applied, message } = patchView(connection, standing, patch);
		assert.deepEqual(cautions, [
			'Git reads this message differently and would create a different commit message.',
			'The forge lost characters of this message and shows them as \uFFFD. Ask the sender for the patch.',
			'Git reads this message differently: "What git would apply" has another commit message.',
		]);
		assert.match(JSON.stringify(applied), /Mal Ice/);
		assert.doesNotMatch(JSON.stringify(message), /Mal Ice/);
		const { trailers } = viewOf({ connection, standing }, { series, trailers: trailersOfThread([], series) });
		assert.deepEqual(
			trailers.map(({ person, given }) => [person.name, given[0]?.standing]),
			[['Mal Ice', 'only git reads it, and would commit it']],
		);
	});

	test('uses the first of repeated parts, as its advice says', async () => {
		const sent = [1, 2, 3].map((id) =>
			makeSeriesMail({ id, subject: `[PATCH ${Math.min(id, 2)}/2] Part`, body: patchText('a.c') }),
		);
		const series = readSeries(sent);
		assert.deepEqual(
			series.patches.map(({ mail }) => mail.id),
			[1, 2],
		);
		const repeated = series.problems.find(({ kind }) => kind === 'repeatedPart');
		assert.ok(repeated);
		assert.match(problemAdvice(repeated), /^The first one received is used here\./);
	});

	test('shows failures beside the loaded data', async () => {
		const known = await read();
		const { failures, trailers } = viewOf(known, {
			failures: [{ part: 'thread', error: new Error('The line is dead') }],
		});
		assert.deepEqual(failures, [
			'The thread could not be loaded, and its replies are missing here. Error: The line is dead',
		]);
		assert.ok(trailers.length > 0);
	});

	test('shows the version of an earlier trailer, and that the patch did not change', async () => {
		const known = await read();
		const [first] = known.standing.trailers;
		assert.ok(first);
		const earlier = { ...first, isInPatch: false, isForOther: false, earlierVersion: 2 };
		assert.equal(
			viewOf(known, { trailers: [earlier] }).trailers[0]?.given[0]?.standing,
			'given on v2, patch unchanged',
		);
		const failures = [{ part: 'earlierReplies' as const, error: new Error('The line is dead') }];
		assert.match(viewOf(known, { failures }).failures[0] ?? '', /^Replies to earlier versions could not be loaded/);
	});

	test('shows that a trailer covers the whole series', async () => {
		const known = await read();
		const [first] = known.standing.trailers;
		assert.ok(first);
		assert.equal(
			viewOf(known, { trailers: [{ ...first, patchIndexes: [1, 2, 3] }] }).trailers[0]?.given[0]?.patches,
			'all patches',
		);
		assert.equal(
			viewOf(known, { trailers: [{ ...first, patchIndexes: [1, 3] }] }).trailers[0]?.given[0]?.patches,
			'patches 1, 3',
		);
	});

	test('doesn’t link a ticket without a tracker', async () => {
		const known = await read();
		const ticket = { owner: undefined, name: undefined, id: 4, trailer: undefined, mailId: 21 };
		assert.deepEqual(viewOf(known, { tickets: [ticket, ticket] }).tickets, [
			{ text: '#4', href: undefined, title: '', trailer: '' },
		]);
	});

	test('summarizes patches and files per sender', async () => {
		assert.equal(viewOf(await read()).summary, 'Bob Builder: 3 patches, 7 files.');
	});

	test('strips only git’s statistics from the notes', () => {
		const notes =
			'Changes since v1: a file less.\n\n src/a.c | 12 +++++-----\n doc/x.png | Bin 0 -> 12 bytes\n 2 files changed, 5 insertions(+)\n create mode 100644 doc/x.png\n a | b';
		assert.equal(withoutStatistics(notes), 'Changes since v1: a file less.\n\n a | b');
	});

	test('lists 500 files of a patch and counts the rest', async () => {
		const { connection, standing } = await read();
		const [series] = standing.series.patches;
		assert.ok(series);
		const [file] = series.patch.diff.files;
		assert.ok(file);
		const files = Array.from({ length: 1000 }, () => file);
		const patch = { ...series.patch, diff: { ...series.patch.diff, files } };
		const view = patchView(connection, standing, { ...series, patch });
		assert.deepEqual([view.files.length, view.moreFiles], [500, 500]);
	});

	test('offers statuses seen on the list, and says that only the owner can set them', async () => {
		const { connection, standing } = await read('~bob');
		const { ref, patchset } = standing;
		const parts = {
			ref,
			patchset,
			messageId: '<m1@x>',
			standing,
			check: undefined,
			canApply: true,
			mine: undefined,
			html: () => '',
		};
		const head = headView({ ...parts, seen: ['other:held', 'unknown', 'proposed'], me: connection.me });
		assert.deepEqual(
			head.statuses.map(({ word }) => word),
			['needs_revision', 'superseded', 'approved', 'rejected', 'applied', 'held'],
		);
		assert.equal(head.whoMay, 'Only ~alice, who owns the list, can set the status.');
		assert.equal(headView({ ...parts, seen: [], me: '~alice' }).whoMay, 'You can set the status.');
	});
});
