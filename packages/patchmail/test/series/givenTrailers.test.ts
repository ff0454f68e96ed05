import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { postedSeries, readEnvelopes } from '../../src/series/postedSeries.ts';
import { trailersOfThread } from '../../src/series/threadTrailers.ts';

const corpus = join(import.meta.dirname, '../../../../test/corpus/series');
const patchMail = readFileSync(join(corpus, 'viaList/via-list-patch.eml'), 'latin1');
const review = readFileSync(join(corpus, 'viaList/via-list-review.eml'), 'latin1');

/** Trailers that no patch has: text, patches, and marks. */
async function given(...envelopes: readonly string[]): Promise<readonly string[]> {
	const [set] = postedSeries(await readEnvelopes(envelopes, new AbortController().signal));
	assert.ok(set);
	return trailersOfThread(set.thread, set.series)
		.filter(({ isInPatch }) => !isInPatch)
		.map(({ key, value, patchIndexes, isForOther, condition, isForSeries }) =>
			[
				`${key}: ${value} of ${patchIndexes.join(' ')}`,
				...(isForOther ? ['in doubt'] : []),
				...(condition === undefined ? [] : [`if "${condition}"`]),
				...(isForSeries ? ['as of the series'] : []),
			].join(', '),
		);
}

const reviewed = 'Reviewed-by: Li Reviewer <li@r.example> of 1';
const list = 'mylist@lists.example';

/** The review with another head. */
function headed(...head: readonly string[]): string {
	const [, body = ''] = review.split('\n\nGood.');
	const rest =
		'To: Wei Sender <wei@w.example>\nSubject: Re: a\nMessage-ID: <via2@r.example>\nIn-Reply-To: <via1@w.example>';
	return `${head.join('\n')}\n${rest}\n\nGood.${body}`;
}

suite('a reviewer behind a list that rewrites senders', () => {
	test('is believed', async () => {
		assert.deepEqual(await given(patchMail, review), [reviewed]);
		const direct = patchMail.replace(/^From: .*$/m, 'From: Wei Sender <wei@w.example>').replace(/^Reply-To: .*\n/m, '');
		const posted = direct.replace(/^Subject/m, `List-Post: <mailto:${list}>\nSubject`);
		assert.deepEqual(await given(posted, review), [reviewed], 'the list adds List-Post to a sender that it keeps');
		const li = 'Li Reviewer <li@r.example>';
		for (const head of [
			[`From: Li Reviewer via mylist <${list}>`, `Reply-To: ${li}, ${list}`],
			[`From: Li Reviewer via mylist <${list}>`, `Reply-To: ${list}`, `Cc: ${li}`],
			[
				`From: 'Li Reviewer' via mylist <${list}>`,
				`Reply-To: ${li}`,
				`X-Original-From: ${li}`,
				'X-Original-Sender: li@r.example',
			],
			[`From: "'Li Reviewer' via mylist" <${list}>`, `Reply-To: ${li}`, `Author: ${li}`],
			[`From: Li Reviewer (via mylist) <${list}>`, `Reply-To: ${li}`],
			[`From: Li Reviewer (via list) <${list.toUpperCase()}>`, `Reply-To: ${li}`],
			[`From: =?utf-8?q?Li_Reviewer_=C3=BCber_mylist?= <${list}>`, `Reply-To: ${li}`],
			[`From: Li Reviewer a =?utf-8?q?trav=C3=A9s?= de mylist <${list}>`, `Reply-To: ${li}`],
			[`From: Li Reviewer <${list}>`, `Reply-To: ${li}`],
			[`From: "li@r.example via mylist" <${list}>`, 'Reply-To: li@r.example'],
			[`From: Li Reviewer via mylist <${list}>`, `Reply-To: Team <team@t.example>, ${li}`],
		]) {
			assert.deepEqual(await given(patchMail, headed(...head)), [reviewed], head.join(' | '));
		}
	});

	test('is in doubt for anybody else who writes so', async () => {
		const li = 'Li Reviewer <li@r.example>';
		const eve = 'Li Reviewer <eve@e.example>';
		for (const head of [
			// Not the address of the list.
			[
				'From: Li Reviewer via mylist <eve@e.example>',
				`Reply-To: ${li}`,
				'Cc: eve@e.example',
				'List-Post: <mailto:eve@e.example>',
			],
			['From: Li Reviewer via mylist <mylist@other.example>', `Reply-To: ${li}`, 'Cc: mylist@other.example'],
			['From: Li Reviewer via mylist <wei@w.example>', `Reply-To: ${li}`],
			// The list names the writer beside the Reply-To that he wrote, or in Cc.
			[`From: Li Reviewer via mylist <${list}>`, `Reply-To: ${li}, ${eve}`],
			[`From: Li Reviewer via mylist <${list}>`, `Reply-To: ${list}`, `Cc: ${li}, ${eve}`],
			[`From: Li Reviewer via mylist <${list}>`, `Reply-To: ${eve}`, `Cc: ${li}`],
			[`From: Li Reviewer via mylist <${list}>`, `Cc: ${li}`],
			[`From: 'Li Reviewer' via mylist <${list}>`, `Reply-To: ${li}`, `X-Original-From: ${eve}`],
			[`From: 'Li Reviewer' via mylist <${list}>`, `Reply-To: ${li}`, 'X-Original-Sender: eve@e.example'],
			[`From: 'Li Reviewer' via mylist <${list}>`, `X-Original-From: ${li}`],
			// Another name.
			[`From: Eve via mylist <${list}>`, `Reply-To: ${li}`],
			[`From: Li Reviewers via mylist <${list}>`, `Reply-To: ${li}`],
			[`From: "eve@e.example via mylist" <${list}>`, `Reply-To: ${li}`],
			[`From: Li Reviewer via mylist <${list}>, eve@e.example`, `Reply-To: ${li}`],
			[`From: mylist <${list}>`],
		]) {
			assert.deepEqual(await given(patchMail, headed(...head)), [`${reviewed}, in doubt`], head.join(' | '));
		}
	});
});

suite('trailers of replies', () => {
	test('offer the name that its owner corrects', async () => {
		const text = readFileSync(join(corpus, 'inPart/name-corrected.mbox'), 'latin1');
		const [one = '', other = ''] = text.split(/^From .*\n/m).slice(1);
		const tested = 'Tested-by: Hans Holmberg <hans@h.example> of 1';
		assert.deepEqual(await given(one, other), [tested]);
		assert.deepEqual(
			await given(one, other.replace('\nTested-by: Hans Holmberg', '\nTested-by: "Hans  Holmnerg"')),
			[],
		);
		assert.deepEqual(await given(one, other.replace('\nTested-by: Hans Holmberg', '\nTested-by:')), []);
		assert.deepEqual(
			await given(one, other.replace('From: Hans Holmberg <hans@h.example>', 'From: Eve <eve@e.example>')),
			[],
		);
	});

	const mail = (id: string, to: string, subject: string, text: string, from = 'Ann <ann@a.example>'): string =>
		`From: ${from}\nSubject: ${subject}\nMessage-ID: <${id}>\nDate: Tue, 01 Dec 2026 01:3${id.length}:00 +0000\n${to === '' ? '' : `In-Reply-To: <${to}>\n`}\n${text}\n`;
	const diff = (name: string): string =>
		`Why.\n---\n\ndiff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+b`;
	const two = [mail('1', '', '[PATCH 1/2] a', diff('a')), mail('22', '1', '[PATCH 2/2] b', diff('b'))];
	const bob = 'Bob <bob@b.example>';
	const say = (text: string): string => mail('333', '1', 'Re: [PATCH 1/2] a', text, bob);
	const acked = `Acked-by: ${bob}`;

	test('below words about the series are offered for the other patches, too', async () => {
		for (const words of [
			'For the series:',
			'For the whole series,',
			'for this patchset',
			'To the entire patch series:',
			'For all patches:',
			'Series:',
		]) {
			assert.deepEqual(
				await given(...two, say(`> quoted\n\nFine.\n\n${words}\n\n${acked}`)),
				[`${acked} of 1`, `${acked} of 2, as of the series`],
				words,
			);
		}
		for (const words of [
			'For the series of tests I have no time.',
			'For this patch:',
			'The series looks odd.',
			'> For the series:',
		]) {
			assert.deepEqual(await given(...two, say(`${words}\n\n${acked}`)), [`${acked} of 1`], words);
		}
		const both = [say(`For the series:\n${acked}`), mail('4444', '22', 'Re: [PATCH 2/2] b', acked, bob)];
		assert.deepEqual(await given(...two, ...both), [`${acked} of 1`, `${acked} of 2`]);
		assert.deepEqual(await given(...two, say(`For the series:\nTested-by: ${bob}\n${acked}`)), [
			`Tested-by: ${bob} of 1`,
			`Tested-by: ${bob} of 2, as of the series`,
			`${acked} of 1`,
			`${acked} of 2, as of the series`,
		]);
	});

	test('below a condition name it', async () => {
		for (const words of [
			'With that fixed:',
			'With the typo fixed,',
			'With these two nits addressed, feel free to add',
			'If you change the name, then:',
			'Looks good to me if you fix that.',
			'Once the comment is gone:',
			'After that is changed,',
			'Modulo the nit above:',
			'But with both removed:',
			'Otherwise fine, assuming the test passes:',
			'Provided that it builds:',
		]) {
			assert.deepEqual(
				await given(...two, say(`Some text. Another one.\n\n${words}\n\n${acked}`)),
				[`${acked} of 1, if "${words}"`],
				words,
			);
		}
		assert.deepEqual(await given(...two, say(`A typo. With that fixed:\nTested-by: ${bob}\n${acked}`)), [
			`Tested-by: ${bob} of 1, if "With that fixed:"`,
			`${acked} of 1, if "With that fixed:"`,
		]);
		for (const words of [
			'With this patch my board boots.',
			'With kind regards,',
			'If it helps:',
			'If you want:',
			'Feel free to add my',
			'Works with the new driver.',
			'I am fine with this.',
			'When I boot, all is well.',
			'> With that fixed:',
			'With that fixed, it would be nice.\n\nBut this is fine.',
		]) {
			assert.deepEqual(await given(...two, say(`${words}\n\n${acked}`)), [`${acked} of 1`], words);
		}
	});
});
