import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { eachInAppliedWorld, type AppliedWindow, type AppliedWorld } from '../support/appliedWorld.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { testInRest } from '../../../../support/parts.ts';
import { stubbed } from '../../../../support/vscodeValues.ts';

const { patchView } = await import('../../../../../src/features/review/patchset/patchView.ts');
const { seriesProblemText } = await import('../../../../../src/features/lists/subjects/problemTexts.ts');

const never = new AbortController().signal;

/** Replaces the diff of the second patch. */
function withDiff(diff: string): (envelope: string) => string {
	return (envelope) => `${envelope.slice(0, envelope.indexOf('\ndiff --git') + 1)}${diff}-- \n2.39.5\n\n`;
}

const header = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n';
const bare = withDiff(`${header}@@ -5,0 +6 @@\n+new\n`);
const inside = withDiff(`${header}@@ -5,2 +5,3 @@\n 5\n+new\n\\ No newline at end of file\n 6\n`);

function withoutPrefixes(envelope: string): string {
	return envelope.replaceAll(/(diff --git |--- |\+\+\+ )?\b[ab]\/(?=\w)/g, '$1');
}

suite('a diff that git may apply in another place than shown', function () {
	this.timeout(60_000);
	let world: AppliedWorld;
	let window: AppliedWindow;

	eachInAppliedWorld((made) => ({ world, window } = made));

	for (const [name, diff, reason] of [
		['without context', bare, 'a hunk has no context lines, so git puts it at the end of the file or rejects it'],
		[
			'with a marker in the middle',
			inside,
			'a line is marked as the end of the file, but others follow, so git may join two lines',
		],
	] as const) {
		const testForm = diff === bare ? test : testInRest;
		testForm(`${name} triggers a question before Apply and Check, and the page shows its reason`, async () => {
			world.change([72], diff);
			stubbed.answers.push('Current Branch main');
			await assert.rejects(window.run('forge.patchsets.apply', world.subject), isAbort);
			assert.deepEqual(stubbed.shown, ['Git may apply something other than what is shown.']);
			assert.equal(world.inClone('rev-parse', 'HEAD'), world.base);
			const connection = listConnection(world.lists.api);
			const review = await connection.reviews.read(world.subject.ref, never);
			assert.ok(review.series.problems.map(seriesProblemText).includes(`The diff of a is damaged: ${reason}.`));
			const [, second] = review.series.patches;
			assert.ok(second);
			assert.equal(patchView(connection, review, second).files[0]?.trouble, `Damaged: ${reason}.`);
			stubbed.answers.push('Check', 'None on this forge', 'main');
			await window.run('forge.patchsets.checkApplies', world.subject);
			const words = `patch 2, a: ${reason}. Git writes other contents than the diffs show to: a.`;
			assert.ok(stubbed.shown.at(-1)?.endsWith(words), stubbed.shown.at(-1));
		});
	}

	test('without a/ and b/ is applied with -p0 after a question', async () => {
		world.change([71, 72, 73], withoutPrefixes);
		stubbed.answers.push('Current Branch main', 'Apply');
		await window.run('forge.patchsets.apply', world.subject);
		assert.ok(
			stubbed.details.includes('The names in a patch have no a/ and b/. Git applies it with the option -p0.'),
			stubbed.details.join('\n'),
		);
		assert.equal(world.inClone('show', 'HEAD~1:b'), 'two');
	});
});
