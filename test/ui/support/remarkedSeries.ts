import type { SampleForge } from '../../support/sampleForge.ts';
import { remark } from './shownRemarks.ts';

const dayMs = 86_400_000;
/** Mails of one request to the forge. */
const atOnce = 20;

const fileOf = (at: number): string => `lamp-${at}`;

/** The remarks on the n-th file (from 0) of `postRemarked`, in the order of `shownRemarks`. */
export function remarksOn(at: number, count: number): readonly string[] {
	return Array.from({ length: count }, (_, line) => remark(line, fileOf(at))).toSorted();
}

/**
 * A series on the list with a patch for each number: it adds a file with so many lines, and a reply asks about each
 * line. With `isChange`, the file existed: the first half of the lines is removed.
 */
export async function postRemarked(
	forge: SampleForge,
	list: string,
	title: string,
	counts: readonly number[],
	isChange = false,
): Promise<void> {
	const startMs = Date.now() - dayMs;
	const key = title.replaceAll(/\W+/g, '-');
	const idOf = (patch: number, reply = 0): string => `<${key}-${patch}-${reply}@remarks.test>`;
	const mails = counts.flatMap((count, at) => {
		const number = counts.length === 1 ? '' : ` ${at + 1}/${counts.length}`;
		const subject = `[PATCH${number}] ${counts.length === 1 ? title : at === 0 ? title : `${title}, more`}`;
		const file = fileOf(at);
		const removed = isChange ? count >> 1 : 0;
		const lines = Array.from({ length: count }, (_, line) => `${line < removed ? '-' : '+'}${file} wick ${line} burns`);
		const added = count - removed;
		const parent = at === 0 ? [] : [`In-Reply-To: ${idOf(0)}`];
		const patch = mailOf('Bob Builder <bob@forge.test>', subject, idOf(at), parent, [
			'Light.',
			'',
			'Signed-off-by: Bob Builder <bob@forge.test>',
			'---',
			` ${file} | ${count} +`,
			` 1 file changed, ${added} insertions(+)`,
			...(isChange ? [] : [` create mode 100644 ${file}`]),
			'',
			`diff --git a/${file} b/${file}`,
			...(isChange
				? [
						'index 7654321..1234567 100644',
						`--- a/${file}`,
						`+++ b/${file}`,
						`@@ -1,${removed + 1} +1,${added + 1} @@`,
						` ${file}`,
					]
				: [
						'new file mode 100644',
						'index 0000000..1234567',
						'--- /dev/null',
						`+++ b/${file}`,
						`@@ -0,0 +1${count === 1 ? '' : `,${count}`} @@`,
					]),
			...lines,
			'-- ',
			'2.43.0',
		]);
		const said = lines.map((line, each) => [`> ${line}`, '', `${remark(each, file)}: is it bright enough?`, '']);
		// One reader writes the first half, and another one the rest.
		const half = Math.ceil(count / 2);
		const replies = [said.slice(0, half), said.slice(half)].flatMap((part, each) =>
			part.length === 0
				? []
				: [
						mailOf(
							each === 0 ? 'Dora Reader <dora@forge.test>' : 'Emil Reader <emil@forge.test>',
							`Re: ${subject}`,
							idOf(at, each + 1),
							[`In-Reply-To: ${idOf(at)}`],
							part.flat(),
						),
					],
		);
		return [patch, ...replies];
	});
	// The patches first: a set is formed when its last one arrives.
	const ordered = mails.toSorted(
		(one, other) => Number(one.includes('\nSubject: Re:')) - Number(other.includes('\nSubject: Re:')),
	);
	for (let from = 0; from < ordered.length; from += atOnce) {
		const part = ordered.slice(from, from + atOnce).map((mail, at) => ({ mail, atMs: startMs + (from + at) * 1000 }));
		await forge.act('/lists/archive', { list, mails: part });
	}
}

function mailOf(from: string, subject: string, id: string, head: readonly string[], body: readonly string[]): string {
	const fields = [
		`From: ${from}`,
		'To: ~alice/lantern-devel@lists.forge.test',
		`Subject: ${subject}`,
		'Date: Mon, 30 Nov 2026 10:00:00 +0000',
		`Message-ID: ${id}`,
		...head,
		'Content-Type: text/plain; charset=utf-8',
	];
	return `${[...fields, '', ...body].join('\n')}\n`;
}
