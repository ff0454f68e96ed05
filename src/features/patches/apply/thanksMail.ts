import type { ReadableMail } from 'patchmail/mail/readableMail.ts';
import { mailDraftText } from 'patchmail/mail/mailDraftText.ts';
import { attributionOf, replySubject } from 'patchmail/review/replyHead.ts';
import type { SeriesMail, SeriesReading } from 'patchmail/series/seriesReading.ts';
import { webAddress } from '../../../editor/links/webOf.ts';
import type { Connection } from '../../../store/connection.ts';
import type { AppliedFact } from '../../lists/checks/appliedCommits.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { replyRecipients } from '../../lists/send/replyRecipients.ts';

/** Lines of the answered text to quote. */
const mostQuoted = 5;

/** The mail that thanks reply to: the cover letter, else the first patch. */
export function thankedMail({ cover, patches }: SeriesReading): SeriesMail | undefined {
	return cover ?? patches[0]?.mail;
}

/** A draft that names the commit of each patch, for the people of a usual reply. */
export async function thanksText(
	connection: Connection,
	parts: ListsContext,
	{ fact, series, to }: { readonly fact: AppliedFact; readonly series: SeriesReading; readonly to: SeriesMail },
	signal: AbortSignal,
): Promise<string> {
	const mail = to.reading.kind === 'read' ? to.reading.mail : undefined;
	const list = fact.subject.ref.list;
	const { to: first, cc, from } = await replyRecipients(connection, parts, list, { id: to.id, mail }, signal);
	const { commits, leftOut, pushed } = fact;
	// Indented, so that no program wraps a subject or a URL.
	const nameOf = (index: number, subject: string): string =>
		index === 0 ? `  ${subject}` : `  [${index}/${series.count}] ${subject}`;
	const applied = commits.flatMap(({ id, index, subject }) => {
		const url = pushed?.repository && webAddress(connection.instance, { kind: 'commit', ref: pushed.repository, id });
		return [nameOf(index, subject), `        ${url ?? `commit ${id}`}`];
	});
	const missing = series.patches.flatMap(({ index, patch }) =>
		leftOut.includes(index) ? [nameOf(index, patch.subject)] : [],
	);
	const body = [
		attributionOf(to, mail),
		...quoted(mail),
		'',
		pushed ? `Applied to ${pushed.branch}, thanks!` : 'Applied, thanks!',
		'',
		...applied,
		...(missing.length === 0 ? [] : ['', 'Not applied:', '', ...missing]),
		...(from && from.name !== '' ? ['', from.name] : []),
		'',
	];
	return mailDraftText({ to: first, cc, subject: replySubject(to.subject), body: body.join('\n') });
}

function quoted(mail: ReadableMail | undefined): readonly string[] {
	const lines = (mail?.text ?? '').split('\n').map((line) => line.trimEnd());
	const start = lines.findIndex((line) => line !== '');
	const end = lines.findIndex((line, at) => at > start && line === '');
	const first = start === -1 ? [] : lines.slice(start, Math.min(end === -1 ? lines.length : end, start + mostQuoted));
	return first.length === 0 ? [] : [...first.map((line) => `> ${line}`), '> [...]'];
}
