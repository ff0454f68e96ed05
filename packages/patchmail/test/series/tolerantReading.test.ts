import assert from 'node:assert/strict';
import { subjectOfThread } from '../../src/series/patchSubject.ts';
import { readMail } from '../../src/mail/readMail.ts';
import type { SenderCaution } from '../../src/mail/readableMail.ts';
import { ownLines } from '../../src/series/ownLines.ts';
import { readSeries } from '../../src/series/series.ts';
import { subjectPlace } from '../../src/series/subjectPlace.ts';
import { mailTrailers } from '../../src/series/threadTrailers.ts';
import { makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';

suite('subjects in practice', () => {
	for (const [subject, version, place, prefix, isReply] of [
		['[PATCHv2 1/3] x', 2, '1/3', '', false],
		['[PATCH][v2] x', 2, '1/1', '', false],
		['[bug#12] [PATCH v2 2/3] x', 2, '2/3', '', false],
		['[list][PATCH v2 2/3] x', 2, '2/3', '', false],
		['[PATCH v6,19/24] x', 6, '19/24', '', false],
		['[PATCH1/8] x', 1, '1/8', '', false],
		['[PATCH-for-9.0 v2 1/3] x', 2, '1/3', 'for-9.0', false],
		['[RFC v2 1/3] x', 2, '1/3', '', false],
		['AW: [PATCH v2 1/3] x', 2, '1/3', '', true],
		['RE: [EXT] [PATCH v2 1/3] x', 2, '1/3', '', true],
		['Antw: SV: [PATCH lamp 1/3] x', 1, '1/3', 'lamp', true],
		['回复：[PATCH lamp 1/3] x', 1, '1/3', 'lamp', true],
		['[PATCH v2 1 of 3] x', 2, '1/3', '', false],
		['[PATCH 2 of 2 lamps] x', 1, '2/2', 'lamps', false],
		['[PATCH proj v2 1/2] x', 2, '1/2', 'proj', false],
	] as const) {
		test(`${subject} is version ${version}, ${place}`, () => {
			const found = subjectPlace(subject);
			assert.deepEqual(
				[found?.version, `${found?.index}/${found?.count}`, found?.prefix, found?.isReply, found?.subject],
				[version, place, prefix, isReply, 'x'],
			);
		});
	}

	test('keep brackets of the title', () => {
		assert.equal(subjectPlace('[PATCH] [lamp] Fill')?.subject, '[lamp] Fill');
	});

	for (const subject of ['[RFC] An idea', '[bug#12] It is dark', 'Fill [PATCH]', '[PATCHWORK] x', '[v2] x']) {
		test(`${subject} is not a patch`, () => assert.equal(subjectPlace(subject), undefined));
	}

	test('of replies lose their marks in other languages too', () => {
		assert.equal(subjectOfThread('AW: Re: SV: Fill'), 'Fill');
		assert.equal(subjectOfThread('mm: Fill'), 'mm: Fill');
	});

	test('numbered by Mercurial form one series', () => {
		const mails = [1, 2].map((id) =>
			makeSeriesMail({ id, subject: `[PATCH ${id} of 2 lamps] Fill`, body: patchText(`${id}.c`) }),
		);
		const { patches, count, problems } = readSeries(mails);
		assert.deepEqual([patches.map(({ index }) => index), count], [[1, 2], 2]);
		assert.ok(problems.every(({ kind }) => kind === 'wrongPrefix'));
	});
});

suite('own lines in practice', () => {
	const trailers = (body: string): readonly string[] =>
		mailTrailers(makeSeriesMail({ body })).map(({ key, value }) => `${key}: ${value}`);
	const reviewed = 'Reviewed-by: Bob <bob@forge.test>';

	for (const [form, body] of [
		['indented', `Feel free to add:\n\n  ${reviewed}\n\nfor all.\n`],
		['behind a tab', `\t${reviewed}\n`],
		['with a dot', `Good.\n${reviewed}.\n`],
		['with a link', 'Reviewed-by: Bob <bob@forge.test<mailto:bob@forge.test>>\n'],
		['with a link in brackets', 'Reviewed-by: Bob <mailto:bob@forge.test>\n'],
		['below a diff', `Squash this:\n\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n\n${reviewed}\n`],
	] as const) {
		test(`include a trailer ${form}`, () => assert.deepEqual(trailers(body), [reviewed]));
	}

	test('include no trailer inside a diff', () => {
		assert.deepEqual(trailers(`diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n a\n\n+${reviewed}\n`), []);
		assert.deepEqual(trailers(`diff --git a/f b/f\n${reviewed}\n`), []);
	});

	for (const [language, labels, date] of [
		['Czech', ['Od', 'Odesláno', 'Komu', 'Předmět'], 'pondělí 3. března 2025 10:00'],
		['Danish', ['Fra', 'Sendt', 'Til', 'Emne'], '3. marts 2025 10:00'],
		['Japanese', ['差出人', '送信日時', '宛先', '件名'], '2025年3月3日 10:00'],
		['Portuguese', ['De', 'Enviada em', 'Para', 'Assunto'], 'segunda-feira, 3 de março de 2025 10:00'],
		['Russian', ['От', 'Отправлено', 'Кому', 'Тема'], '3 марта 2025 г. 10:00'],
		['Finnish', ['Lähettäjä', 'Lähetetty', 'Vastaanottaja', 'Aihe'], 'maanantai 3. maaliskuuta 2025 10.00'],
	] as const) {
		test(`end above an unquoted original mail, in ${language}`, () => {
			const values = ['Ann <ann@forge.test>', date, 'dev', '[PATCH] x'];
			const head = labels.map((label, at) => `${label}: ${values[at]}`).join('\n');
			assert.deepEqual(ownLines(`Fine.\n\n${head}\n\n${reviewed}\n`), ['Fine.', '']);
		});
	}

	for (const mark of [
		'-----Mensagem original-----',
		'-----邮件原件-----',
		'-------- Message transféré --------',
		'-----Исходное сообщение-----',
		'---- On Mon, 03 Mar 2025 10:00:00 +0100 Ann Lee <ann@forge.test> wrote ----',
	]) {
		test(`end at ${mark}`, () => assert.deepEqual(ownLines(`Fine.\n${mark}\n${reviewed}\n`), ['Fine.']));
	}

	test('continue below trailers and meaningless dashes', () => {
		const block = `Fixes: 0123456 ("x")\nCc: dev@forge.test\nLink: https://forge.test/2025/10:00\n${reviewed}\n`;
		assert.equal(ownLines(`Fine.\n\n${block}`).length, 7);
		assert.equal(ownLines('Fine.\n-----\nMore.\n----8<----\nMore.').length, 5);
	});
});

suite('mail from a list for a person', () => {
	async function cautions(...head: readonly string[]): Promise<readonly SenderCaution[]> {
		const reading = await readMail([...head, 'Subject: x', '', 'Hello'].join('\r\n'), { evenIfLarge: true });
		assert.ok(reading.kind === 'read');
		return reading.mail.cautions;
	}
	const likely = { name: 'Ann Lee', address: 'ann@forge.test' };

	for (const [form, head] of [
		['X-Original-From', ['From: "\'Ann Lee\' via dev" <dev@lists.test>', 'X-Original-From: Ann Lee <ann@forge.test>']],
		['Reply-To', ['From: Ann Lee via Dev <dev@lists.test>', 'Reply-To: Ann Lee <ann@forge.test>']],
		['Cc', ['From: Ann Lee via Dev <dev@lists.test>', 'Cc: eve@evil.test, Ann Lee <ann@forge.test>']],
	] as const) {
		test(`names the likely author from ${form}`, async () => {
			assert.deepEqual(await cautions(...head), [{ kind: 'sentByList', likely }]);
		});
	}

	test('has a caution even if nothing names the author', async () => {
		assert.deepEqual(await cautions('From: Ann Lee via Dev <dev@lists.test>', 'Reply-To: eve@evil.test'), [
			{ kind: 'sentByList', likely: undefined },
		]);
		assert.deepEqual(await cautions('From: Olivia Lee <olivia@forge.test>'), []);
	});
});
