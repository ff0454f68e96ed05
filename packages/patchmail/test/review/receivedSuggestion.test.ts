import assert from 'node:assert/strict';
import { fixUpLines } from '../../src/review/fixUp.ts';
import { receivedSuggestion } from '../../src/review/receivedSuggestion.ts';

const diff = '--- a/src/a.c\n+++ b/src/a.c\n@@ -4,3 +4,3 @@\n one\n-two\n+2\n three\n';
const rows = [' one', '-two', '+2', ' three'];

suite('a suggestion in a comment', () => {
	test('is the diff that a person suggested', () => {
		const sent = fixUpLines('src/a.c', { firstLine: 4, rows }).join('\n');
		assert.equal(receivedSuggestion(`Suggested change:\n\n${sent}`), diff);
		assert.equal(receivedSuggestion(`Or so:\n\n${sent}\n\nWhat do you think?`), diff);
	});

	test('is a diff as git writes it, without indentation', () => {
		const whole = `diff --git a/src/a.c b/src/a.c\nindex 1111111..2222222 100644\n${diff}`;
		assert.equal(receivedSuggestion(`Squash this:\n\n${whole}`), whole);
	});

	const none: readonly (readonly [what: string, prose: string])[] = [
		['prose', 'I would write\n--- so ---\n+++ and so'],
		['a wrapped diff', diff.replace('+2', '+\n2')],
		['a new file', '--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n'],
		['a deleted file', '--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n'],
		['a path outside', diff.replaceAll('src/a.c', '../a.c')],
		['a mode', 'diff --git a/x b/x\nold mode 100644\nnew mode 100755\n'],
	];
	for (const [what, prose] of none) {
		test(`is not ${what}`, () => assert.equal(receivedSuggestion(prose), undefined));
	}
});
