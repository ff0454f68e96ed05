import type { Focus } from '../commands/command.ts';
import { chordText } from '../commands/chordText.ts';
import { keyText, type Table } from './manifest.ts';

const block = /(<!-- keys: ([\w ]+) -->\n)[^]*?(<!-- \/keys -->)/g;

/** Regenerates the key tables of a guide: `<!-- keys: tickets ticket -->` lists the scopes of one table. */
export function withKeyTables(text: string, table: Table): string {
	return text.replaceAll(block, (_, begin: string, foci: string, end: string) => {
		const words = foci.split(' ');
		return `${begin}\n${keyTable((focus) => words.includes(focus), table)}\n${end}`;
	});
}

function keyTable(isListed: (focus: Focus) => boolean, table: Table): string {
	const rows = Object.values(table).flatMap(({ title, help, keys }) =>
		Object.entries(keys ?? {})
			.filter(([, foci]) => foci.some(isListed))
			.map(([chord]) => {
				const name = `**${title.replace(/…$/, '')}**`;
				return `| \`${chordText(keyText(chord).key)}\` | ${help === undefined ? name : `${name}: ${help}`} |`;
			}),
	);
	return ['| key | command |', '| --- | --- |', ...rows, ''].join('\n');
}
