import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { PatchsetReview } from '../../../../../src/store/lists/patchsets/patchsetReview.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { eachInAppliedWorld, type AppliedWindow, type AppliedWorld } from '../support/appliedWorld.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { testInRest } from '../../../../support/parts.ts';
import { stubbed } from '../../../../support/vscodeValues.ts';

const { patchView } = await import('../../../../../src/features/review/patchset/patchView.ts');
const { standingView } = await import('../../../../../src/features/review/patchset/standingView.ts');
const { patchsetText } = await import('../../../../../src/features/lists/models/patchsetText.ts');
const { rangeDiffOf } = await import('../../../../../src/features/review/versions/versionTexts.ts');
const { filesBelow } = await import('../../../../../src/features/lists/tree/patchRows.ts');
const { tellUnread } = await import('../../../../../src/features/patches/diffs/openDiffs.ts');

const never = new AbortController().signal;

/** The same patch in a multipart part without a boundary: git reads it, our parser does not. */
function unparsable(envelope: string): string {
	const [head = '', ...body] = envelope.split('\n\n');
	const type = 'Content-Type: multipart/mixed; boundary=cut';
	return `${head}\n${type}\n\n--cut\nContent-Type: multipart/mixed\n\n${body.join('\n\n')}--cut--\n`;
}

function htmlOnly(envelope: string): string {
	const [head = '', ...body] = envelope.split('\n\n');
	return `${head}\nContent-Type: text/html\n\n<pre>\n${body.join('\n\n')}`;
}

/** Over 1,000,000 characters of notes below the message. */
function large(envelope: string): string {
	return envelope.replace('\n---\n', `\n---\n${'A line of notes that nobody reads.\n'.repeat(30_000)}`);
}

suite('a patch shown as raw text', function () {
	this.timeout(60_000);
	let world: AppliedWorld;
	let window: AppliedWindow;

	eachInAppliedWorld((made) => ({ world, window } = made));

	async function read(): Promise<{ readonly connection: Connection; readonly review: PatchsetReview }> {
		const connection = listConnection(world.lists.api);
		return { connection, review: await connection.reviews.read(world.subject.ref, never) };
	}

	for (const [form, changed, reason, testForm] of [
		['cannot be parsed', unparsable, 'it could not be parsed', test],
		['is HTML only', htmlOnly, 'it came as HTML only', testInRest],
	] as const) {
		testForm(`that ${form} triggers a question before git applies it`, async () => {
			world.change([72], changed);
			stubbed.answers.push('Current Branch main', 'Apply');
			await window.run('forge.patchsets.apply', world.subject);
			assert.equal(stubbed.shown[0], 'Git may apply something other than what is shown.');
			assert.ok(stubbed.details.some((detail) => detail.endsWith(`\n\nPatch 2 is shown as raw text: ${reason}.`)));
			assert.equal(world.inClone('show', 'HEAD~1:b'), 'two');
		});
	}

	for (const [mail, index, testPlace] of [
		[71, 1, testInRest],
		[72, 2, testInRest],
		[73, 3, test],
	] as const) {
		testPlace(`is not applied when the user rejects the question about patch ${index}`, async () => {
			world.change([mail], unparsable);
			stubbed.answers.push('Current Branch main');
			await assert.rejects(window.run('forge.patchsets.apply', world.subject), isAbort);
			assert.deepEqual(stubbed.shown, ['Git may apply something other than what is shown.']);
			assert.match(stubbed.details.join('\n'), new RegExp(`^Patch ${index} is shown as raw text`, 'm'));
			assert.equal(world.inClone('rev-parse', 'HEAD'), world.base);
		});
	}

	test('prevents a check from reporting that the patchset applies', async () => {
		world.change([72], unparsable);
		stubbed.answers.push('Check', 'None on this forge', 'main');
		await window.run('forge.patchsets.checkApplies', world.subject);
		assert.match(
			stubbed.shown.at(-1) ?? '',
			/^The patchset could not be checked on main \(.*\): patch 2 has no diff that could be read\.$/,
		);
	});

	test('is named on the page, in rows, in comparisons and for a language model', async () => {
		world.change([72], unparsable);
		const { connection, review } = await read();
		const sentence = 'Patch 2 is shown as raw text: it could not be parsed.';
		const parts = listsParts(fakeConnections(connection));
		assert.deepEqual(
			standingView(parts, connection, review, undefined, []).health.map(({ problem }) => problem),
			[sentence],
		);
		const [, second] = review.series.patches;
		assert.ok(second);
		assert.match(patchView(connection, review, second).cautions.join(), /could not be parsed and is shown as raw text/);
		const parent = {
			id: 'row',
			item: new (await import('vscode')).TreeItem('row'),
			parent: undefined,
			subject: undefined,
		};
		const rows = await filesBelow(connection, world.subject.ref, 72, parent, never);
		assert.deepEqual(
			rows.map(({ item }) => item.label),
			['This message could not be parsed and is shown as raw text.'],
		);
		const text = patchsetText(review, connection.texts, '');
		assert.match(text, /problem: patch 2 could not be read \(unreadable\)/);
		assert.match(text, /^2\/3 \[PATCH 2\/3\] Change b \(could not be read\)$/m);
		assert.match(text, /== patch 2\/3[^]*\+two\n[^]*== patch 3\/3/);
		assert.ok(tellUnread(review.series));
		assert.deepEqual(stubbed.shown, ['Patches shown as raw text are missing from this diff: 2.']);
	});

	test('is compared with another version as raw text', async () => {
		const before = (await read()).review.series;
		world.change([72], unparsable);
		const unread = (await read()).review.series;
		world.change([72], (envelope) => envelope.replace('+two', '+three'));
		const other = (await read()).review.series;
		const compare = (earlier: typeof before, later: typeof before): Promise<string> =>
			rangeDiffOf({ earlier, later }, { trailers: [], failure: undefined }, fakeClock(), never);
		const changed = await compare(unread, other);
		assert.match(changed, /^Patches of the earlier version that are not parsed, and compared as raw text: 2\.\n\n/);
		assert.match(changed, /^ +-\+two\n +\+\+three$/m);
		assert.match(await compare(before, unread), /^Patches of the later version/);
		assert.doesNotMatch(await compare(before, before), /raw text/);
	});

	test('is parsed at any size when the patchset opens', async () => {
		world.change([72], large);
		const { review } = await read();
		assert.deepEqual(
			review.series.patches.map(({ patch }) => patch.diff.files.length),
			[1, 1, 1],
		);
		assert.deepEqual(review.series.problems, []);
	});

	testInRest('triggers a question before Apply if it is a reply, because it may hold trailers', async () => {
		world.reply(80, 71, 'Reviewed-by: Dora Reviewer <dora@forge.test>\n');
		const { mails } = world.lists.world;
		mails.push({ ...mails.pop()!, envelope: htmlOnly(mails.at(-1)!.envelope.replaceAll('\r\n', '\n')) });
		const { review } = await read();
		assert.deepEqual(review.series.problems, [{ kind: 'rawReply', mailId: 80 }]);
		stubbed.answers.push('Current Branch main', 'Apply');
		await window.run('forge.patchsets.apply', world.subject);
		assert.equal(stubbed.shown[0], 'Not all replies could be read.');
	});
});
