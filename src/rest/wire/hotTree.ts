import { entryTypes } from '../../forge/repository.ts';
import type { Tree, TreeEntry } from '../../forge/repository.ts';
import { wordOf } from '../../forge/word.ts';
import { tree, treeFields } from './commit.ts';
import { decoder, hot } from './decoding.ts';
import type { Decoder } from './decoding.ts';
import { Glance } from './glance.ts';

/** Decodes one tree, whose entries may be thousands; the same as the schema `tree`. */
export function treeDecoder(): Decoder<Tree> {
	const glance = new Glance();
	const entry = (value: unknown): TreeEntry => {
		const fields = glance.fields(value);
		return {
			name: glance.text(fields['name']),
			id: glance.text(fields['id']),
			type: wordOf(entryTypes, glance.text(fields['type'])),
			mode: glance.whole(fields['mode']),
		};
	};
	const read = (fields: Readonly<Record<string, unknown>>): Tree => {
		glance.only(treeFields, fields);
		return {
			id: glance.text(fields['id']),
			shortId: glance.text(fields['short_id']),
			entries: glance.list(fields['entries']).map(entry),
		};
	};
	return hot((value) => glance.at(value, read), slowTree);
}

const slowTree = decoder(tree);
