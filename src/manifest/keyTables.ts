import type { Focus } from '../commands/command.ts';
import { chordText } from '../commands/chordText.ts';
import { keyText, type Table } from './manifest.ts';

const block = /(<!-- keys: ([\w ]+) -->\n)[^]*?(<!-- \/keys -->)/g;

/** The text of a guide with its key tables written anew: `<!-- keys: tickets ticket -->` names the foci of one. */
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
