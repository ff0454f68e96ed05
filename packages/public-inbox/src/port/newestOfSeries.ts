import type { ShortEmail } from 'sourcehut/port/list.ts';
import { titleKey } from '../series/otherVersions.ts';
import { provisionalSeries } from '../series/provisionalSeries.ts';

/** One patch of each series, of its newest version, and the number of hits in that version. The newest comes first. */
export function newestOfSeries(hits: readonly ShortEmail[], authorOf: (mail: ShortEmail) => string) {
	const byId = new Map(hits.map((mail) => [mail.messageId, mail]));
	const rows = hits.map((mail) => {
		const { messageId, subject, createdMs } = mail;
		return { messageId, subject, author: authorOf(mail), dateMs: createdMs };
	});
	const sets = provisionalSeries(rows).flatMap(({ author, patches, version, subject }) => {
		const mail = byId.get(patches[0]?.messageId ?? '');
		return mail ? [{ mail, count: patches.length, version, name: `${author}\n${titleKey(subject)}`, patches }] : [];
	});
	const newest = Array.from(Map.groupBy(sets, ({ name }) => name).values()).flatMap(
		(all) => all.toSorted((one, other) => other.version - one.version)[0] ?? [],
	);
	const placed = new Set(sets.flatMap(({ patches }) => patches.map(({ messageId }) => messageId)));
	const others = hits.filter(({ messageId }) => !placed.has(messageId)).map((mail) => ({ mail, count: 1 }));
	return [...newest, ...others].toSorted((one, other) => other.mail.createdMs - one.mail.createdMs);
}
