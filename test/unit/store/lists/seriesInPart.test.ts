import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mailsIn, unquoted } from 'patchmail/mail/mailbox.ts';
import type { SeriesReading } from 'patchmail/series/seriesReading.ts';
import { versionOf } from 'patchmail/series/versions.ts';
import { seriesOfThread } from 'public-inbox/series/threadSeries.ts';
import { wanted } from '../../../support/contractForge.ts';
import { storesOverMails } from '../../../support/storesOverMails.ts';

/*
 * Series of which a part arrived, and subjects that people write by hand, as a mailbox and through the stores of a forge.
 */

const folder = join(import.meta.dirname, '../../../corpus/series/inPart');
const startMs = Date.UTC(2026, 2, 2, 10);
const [ann, bob] = ['Ann Author <ann@a.example>', 'Bob Builder <bob@b.example>'];

interface Written {
	readonly subject: string;
	readonly from?: string;
	/** Number of the mail above; 99 for one that nobody has. */
	readonly to?: number;
	/** The text; a diff by default, or nothing for a cover letter. */
	readonly text?: string;
	readonly atMin?: number;
}

const diff = (name: string): string =>
	`Why.\n---\n ${name} | 2 +-\n\ndiff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-one\n+two\n-- \n2.43.0\n`;

function raw({ subject, from = ann, to, text, atMin }: Written, at: number): string {
	const isCover = /\b0+\/\d/.test(subject);
	const date = new Date(startMs + (atMin ?? at) * 60_000).toUTCString();
	const above = to === undefined ? '' : `In-Reply-To: <m${to}@made.example>\nReferences: <m${to}@made.example>\n`;
	const head = `From: ${from}\nTo: devel@lists.example\nSubject: ${subject}\nDate: ${date}\nMessage-ID: <m${at + 1}@made.example>\n${above}`;
	return `${head}\n${text ?? (isCover ? 'All of it.\n' : diff(`f${at + 1}.c`))}`;
}

function rowText(version: number, { cover, patches, count, problems }: SeriesReading): string {
	const nameOf = (messageId: string): string => messageId.replace(/^<(?:.*-|m)(\d+)@.*$/, '$1');
	const missing = problems.flatMap((problem) =>
		'indexes' in problem && problem.kind !== 'keptPatches' ? problem.indexes : [],
	);
	const again = problems.flatMap((problem) => (problem.kind === 'repeatedPart' ? [problem.index] : []));
	return [
		`v${version}: ${patches.map(({ mail, index }) => `${index}=${nameOf(mail.messageId)}`).join(' ')}`,
		...(cover ? [`cover ${nameOf(cover.messageId)}`] : []),
		...(missing.length === 0 ? [] : [`without ${missing.join(' ')} of ${count}`]),
		...(again.length === 0 ? [] : [`again ${again.join(' ')}`]),
	].join(', ');
}

async function inMailbox(mails: readonly string[]): Promise<readonly string[]> {
	const all = await seriesOfThread(
		mails.map((mail) => Buffer.from(mail)),
		wanted(),
	);
	return all.map(({ version, series }) => rowText(version, series)).toSorted();
}

/** Without the patchsets of the server that are a part of another one. */
async function inStores(mails: readonly string[]): Promise<readonly string[]> {
	const arriving = mails.map((mail, at) => ({ bytes: Buffer.from(mail), arrivedMs: startMs + at * 60_000 }));
	const { patchsets, reviews, ref, dispose } = await storesOverMails(arriving);
	const parts = new Set(patchsets.flatMap(({ formed }) => formed?.ofServer ?? []));
	const rows: string[] = [];
	for (const patchset of patchsets) {
		const { series } = await reviews.read({ list: ref, id: patchset.id }, wanted());
		const isPart =
			parts.has(patchset.id) &&
			patchsets.some(({ id, version }) => id !== patchset.id && version === versionOf(patchset));
		rows.push(...(isPart ? [] : [rowText(versionOf(patchset), series)]));
	}
	dispose();
	return rows.toSorted();
}

async function check(mails: readonly string[], expected: readonly string[], title: string): Promise<void> {
	assert.deepEqual(await inMailbox(mails), expected, `${title}, a mailbox`);
	assert.deepEqual(await inStores(mails), expected, `${title}, the stores`);
}

suite('series of which a part arrived', () => {
	test('are patchsets, and hand-written subjects name their versions', async () => {
		const expected: Readonly<Record<string, readonly string[]>> = {
			'came-in-part': ['v1: 1=2 3=3, cover 1, without 2 of 3'],
			'version-alone': ['v1: 1=1 2=2', 'v2: 1=3 2=4'],
			'rfc-single': ['v1: 1=1', 'v2: 1=2'],
			'version-on-one': ['v2: 1=1 2=2'],
			'partly-resent': ['v1: 1=1', 'v2: 1=5 2=4 3=6, cover 2, again 1'],
		};
		for (const [name, rows] of Object.entries(expected)) {
			const all = mailsIn(readFileSync(join(folder, `${name}.mbox`))) ?? [];
			await check(
				all.map((mail) => Buffer.from(unquoted(mail)).toString('latin1')),
				rows,
				name,
			);
		}
	});

	const part = (subject: string, written: Omit<Written, 'subject'> = {}): Written => ({ subject, ...written });
	const cases: Readonly<Record<string, readonly [mails: readonly Written[], rows: readonly string[]]>> = {
		'one mail of many': [[part('[RFC v2 3/7] a')], ['v2: 3=1, without 1 2 4 5 6 7 of 7']],
		'the first one is lost': [
			[part('[PATCH 2/3] b', { to: 99 }), part('[PATCH 3/3] c', { to: 99 })],
			['v1: 2=1 3=2, without 1 of 3'],
		],
		'the last ones are lost': [
			[part('[PATCH 0/4] all'), part('[PATCH 1/4] a', { to: 1 }), part('[PATCH 2/4] b', { to: 1 })],
			['v1: 1=2 2=3, cover 1, without 3 4 of 4'],
		],
		'a part of another series as a reply': [
			[part('[PATCH] a'), part('[PATCH 2/2] tests: b', { to: 1 })],
			['v1: 1=1', 'v1: 2=2, without 1 of 2'],
		],
		'a part of another person as a reply': [
			[part('[PATCH] a'), part('[PATCH 2/2] b, in another way', { to: 1, from: bob })],
			['v1: 1=1', 'v1: 2=2, without 1 of 2'],
		],
		'two series of one size': [
			[
				part('[PATCH 0/3] one: all'),
				part('[PATCH 1/3] one: a', { to: 1 }),
				part('[PATCH 3/3] one: c', { to: 1 }),
				part('[PATCH 0/3] two: all', { atMin: 5 }),
				part('[PATCH 2/3] two: b', { to: 4, atMin: 6 }),
			],
			['v1: 1=2 3=3, cover 1, without 2 of 3', 'v1: 2=5, cover 4, without 1 3 of 3'],
		],
		'a number beyond the total': [
			[part('[PATCH 1/2] a'), part('[PATCH 2/2] b', { to: 1 }), part('[PATCH 3/2] c', { to: 1 })],
			['v1: 1=1 2=2', 'v1: 3=3'],
		],
		'the version on the cover letter only': [
			[part('[PATCH v3 0/2] all'), part('[PATCH 1/2] a', { to: 1 }), part('[PATCH V3 2/2] b', { to: 1 })],
			['v3: 1=2 2=3, cover 1'],
		],
		'the version on the cover letter of a chain': [
			[part('[PATCH v3 0/2] all'), part('[PATCH 1/2] a', { to: 1 }), part('[PATCH 2/2] b', { to: 2 })],
			['v3: 1=2 2=3, cover 1'],
		],
		'the version on the last mail only': [
			[part('[PATCH 1/3] a'), part('[PATCH 2/3] b', { to: 1 }), part('[PATCH 3/3 v4] c', { to: 1 })],
			['v4: 1=1 2=2 3=3'],
		],
		'the version alone in brackets': [
			[part('[v3] a'), part('[v4] a', { to: 1 })],
			['v3: 1=1', 'v4: 1=2'],
		],
		'a version and a number below a cover letter with them': [
			[part('[V2 0/2] all'), part('[V2 1/2] a', { to: 1 }), part('[V2 2/2] b', { to: 1 })],
			['v2: 1=2 2=3, cover 1'],
		],
		'a number alone in brackets': [[part('[1/2] a'), part('[2/2] b', { to: 1 })], ['v1: 1=1 2=2']],
		'patches of a pull request': [
			[part('[PULL 0/2] queue'), part('[PULL 1/2] a', { to: 1 }), part('[PULL 2/2] b', { to: 1 })],
			['v1: 1=2 2=3, cover 1'],
		],
		'the lost part comes with RESEND': [
			[part('[PATCH 1/2] a'), part('[RESEND PATCH 2/2] b', { to: 1, atMin: 300 })],
			['v1: 1=1 2=2'],
		],
		'all of it comes again': [
			[
				part('[PATCH 0/3] all'),
				part('[PATCH 1/3] a', { to: 1 }),
				part('[PATCH RESEND 0/3] all', { atMin: 300 }),
				part('[PATCH RESEND 1/3] a', { to: 3, atMin: 301 }),
				part('[PATCH RESEND 2/3] b', { to: 3, atMin: 302 }),
				part('[PATCH RESEND 3/3] c', { to: 3, atMin: 303 }),
			],
			['v1: 1=2, cover 1, without 2 3 of 3', 'v1: 1=4 2=5 3=6, cover 3'],
		],
		'a part comes again, and another one is still lost': [
			[part('[PATCH 1/3] a'), part('[PATCH 1/3] a', { to: 1 }), part('[PATCH 3/3] c', { to: 1 })],
			['v1: 1=2 3=3, without 2 of 3, again 1'],
		],
		'other titles with the same numbers are no repetition': [
			[part('[PATCH 1/3] a'), part('[PATCH 1/3] other', { to: 1 }), part('[PATCH 3/3] c', { to: 1 })],
			['v1: 1=1 3=3, without 2 of 3', 'v1: 1=2, without 2 3 of 3'],
		],
		'two halves of one total in two threads': [
			[
				part('[PATCH 1/3] one: a'),
				part('[PATCH 2/3] one: b', { to: 1 }),
				part('[PATCH 1/3] two: a', { atMin: 9 }),
				part('[PATCH 3/3] two: c', { to: 3, atMin: 10 }),
			],
			['v1: 1=1 2=2, without 3 of 3', 'v1: 1=3 3=4, without 2 of 3'],
		],
		'two halves of one total in two threads, which fit together': [
			[part('[PATCH 1/2] one: a'), part('[PATCH 2/2] two: b', { atMin: 200 })],
			['v1: 1=1, without 2 of 2', 'v1: 2=2, without 1 of 2'],
		],
		'two halves below cover letters, which fit together': [
			[
				part('[PATCH 0/2] one: all'),
				part('[PATCH 1/2] one: a', { to: 1 }),
				part('[PATCH 0/2] two: all', { atMin: 5 }),
				part('[PATCH 2/2] two: b', { to: 3, atMin: 6 }),
			],
			['v1: 1=2, cover 1, without 2 of 2', 'v1: 2=4, cover 3, without 1 of 2'],
		],
		'two halves of one total in one thread': [
			[
				part('[PATCH 0/3] one: all'),
				part('[PATCH 1/3] one: a', { to: 1 }),
				part('[PATCH 0/3] two: all', { to: 1, atMin: 5 }),
				part('[PATCH 2/3] two: b', { to: 3, atMin: 6 }),
			],
			['v1: 1=2, cover 1, without 2 3 of 3', 'v1: 2=4, cover 3, without 1 3 of 3'],
		],
		'the lost part comes again, hours later and in its thread': [
			[
				part('[PATCH 0/3] all'),
				part('[PATCH 1/3] a', { to: 1 }),
				part('[PATCH 3/3] c', { to: 1 }),
				part('[PATCH 2/3] b', { to: 1, atMin: 600 }),
			],
			['v1: 1=2 2=4 3=3, cover 1'],
		],
		'the lost part comes again with RESEND below the cover letter': [
			[
				part('[PATCH v2 0/2] all'),
				part('[PATCH v2 2/2] b', { to: 1 }),
				part('[PATCH RESEND v2 1/2] a', { to: 1, atMin: 600 }),
			],
			['v2: 1=3 2=2, cover 1'],
		],
		'a list prefix before the tag': [
			[part('[LTP] [PATCH v2 1/3] a'), part('[LTP] [PATCH v2 3/3] c', { to: 1 })],
			['v2: 1=1 3=2, without 2 of 3'],
		],
		'a list prefix within two tags': [
			[part('[LTP] [PATCH] [PATCH 1/3] a'), part('[LTP] [PATCH] [PATCH 3/3] c', { to: 1 })],
			['v1: 1=1 3=2, without 2 of 3'],
		],
		'a list prefix behind the tag': [
			[part('[PATCH 1/3] [devel] a'), part('[PATCH 3/3] [devel] c', { to: 1 })],
			['v1: 1=1 3=2, without 2 of 3'],
		],
		'a list prefix on some mails only': [
			[part('[PATCH 0/3] all'), part('[f2fs-dev] [PATCH 1/3] a', { to: 1 }), part('[PATCH 3/3] c', { to: 1 })],
			['v1: 1=2 3=3, cover 1, without 2 of 3'],
		],
		'RFC and RESEND in any order': [
			[part('[RESEND RFC PATCH v2 1/3] a'), part('[RFC PATCH RESEND v2 2/3] b', { to: 1 })],
			['v2: 1=1 2=2, without 3 of 3'],
		],
		'GIT PULL with patches': [
			[part('[GIT PULL 0/3] queue'), part('[PATCH 1/3] a', { to: 1 }), part('[PATCH 2/3] b', { to: 1 })],
			['v1: 1=2 2=3, cover 1, without 3 of 3'],
		],
		'the cover letter is lost': [
			[part('[PATCH v5 1/2] a', { to: 99 }), part('[PATCH v5 2/2] b', { to: 99 })],
			['v5: 1=1 2=2'],
		],
		'the first and the last one are lost': [
			[part('[PATCH 0/4] all'), part('[PATCH 2/4] b', { to: 1 }), part('[PATCH 3/4] c', { to: 1 })],
			['v1: 2=2 3=3, cover 1, without 1 4 of 4'],
		],
		'the version on the cover letter of half a series': [
			[part('[PATCH v4 0/3] all'), part('[PATCH 1/3] a', { to: 1 }), part('[PATCH 3/3] c', { to: 1 })],
			['v4: 1=2 3=3, cover 1, without 2 of 3'],
		],
		// A version on one patch proves nothing while others are lost.
		'the version on one patch of half a series': [
			[part('[PATCH 1/4] a'), part('[PATCH v2 3/4] c', { to: 1 }), part('[PATCH 4/4] d', { to: 1 })],
			['v1: 1=1 4=3, without 2 3 of 4', 'v2: 3=2, without 1 2 4 of 4'],
		],
		'a small letter and no space': [
			[part('[PATCHv2 2/4] b'), part('[patch V2 4/4] d', { to: 1 })],
			['v2: 2=1 4=2, without 1 3 of 4'],
		],
		'the version behind the number': [
			[part('[PATCH 2/4 v3] b'), part('[PATCH 4/4 v3] d', { to: 1 })],
			['v3: 2=1 4=2, without 1 3 of 4'],
		],
		'the version in parentheses behind the tag': [
			[part('[PATCH 2/4] (v2) b'), part('[PATCH 4/4] (v2) d', { to: 1 })],
			['v2: 2=1 4=2, without 1 3 of 4'],
		],
		'the version in parentheses within the tag': [
			[part('[PATCH (v2) 2/4] b'), part('[PATCH (v2) 4/4] d', { to: 1 })],
			['v2: 2=1 4=2, without 1 3 of 4'],
		],
		'the number with a word': [
			[part('[PATCH 2 of 4] b'), part('[PATCH 4 of 4] d', { to: 1 })],
			['v1: 2=1 4=2, without 1 3 of 4'],
		],
		'a number with leading zeros': [
			[part('[PATCH v2 02/12] b'), part('[PATCH v2 11/12] k', { to: 1 })],
			['v2: 2=1 11=2, without 1 3 4 5 6 7 8 9 10 12 of 12'],
		],
		'one patch twice': [
			[part('[PATCH 1/3] a'), part('[PATCH 1/3] a', { to: 1, atMin: 1 })],
			['v1: 1=2, without 2 3 of 3, again 1'],
		],
		'a sender with another name on one part': [
			[part('[PATCH 1/3] a'), part('[PATCH 3/3] c', { to: 1, from: 'A. Author (Home) <ann@a.example>' })],
			['v1: 1=1 3=2, without 2 of 3'],
		],
		'a sender with an address in other letters': [
			[part('[PATCH 1/3] a'), part('[PATCH 3/3] c', { to: 1, from: 'Ann Author <Ann@A.Example>' })],
			['v1: 1=1 3=2, without 2 of 3'],
		],
	};
	for (const [title, [mails, rows]] of Object.entries(cases)) {
		test(`have what arrived: ${title}`, async () => {
			await check(mails.map(raw), rows.toSorted(), title);
		});
	}

	test('are none without a diff', async () => {
		const quoted = 'Bob wrote:\n> diff --git a/f b/f\n> --- a/f\n> +++ b/f\n> @@ -1 +1 @@\n> -one\n> +two\n\nWhy?\n';
		for (const mails of [
			[part('[RFC] a plan', { text: 'What do you think?\n' })],
			[part('[RFC] a plan', { text: quoted })],
			[part('[v2] a plan', { text: quoted })],
			[part('Re: [RFC] a plan', { to: 99 })],
			[part('Re: [V2 1/4] a', { to: 99 })],
			[part('AW: [v3] a', { to: 99 })],
			[part('[list] a', { text: quoted })],
		]) {
			await check(mails.map(raw), [], mails[0]?.subject ?? '');
		}
	});
});
