import type { Commit, Signer } from '../../forge/repository.ts';
import { commit, commitFields } from './commit.ts';
import { decoder, hot } from './decoding.ts';
import type { Decoder } from './decoding.ts';
import { Glance } from './glance.ts';

/** Decodes the commits of one page; the same as the schema `commit`. */
export function commitDecoder(): Decoder<Commit> {
	const glance = new Glance();
	const author = signerReader(glance);
	const committer = signerReader(glance);
	const signature = (value: unknown): NonNullable<Commit['signature']> => {
		const fields = glance.fields(value);
		return { signature: glance.text(fields['signature']), data: glance.text(fields['data']) };
	};
	const read = (fields: Readonly<Record<string, unknown>>): Commit => ({
		id: glance.text(fields['id']),
		shortId: glance.text(fields['short_id']),
		author: author(fields['author']),
		committer: committer(fields['committer']),
		timestampMs: glance.time(fields['timestamp']),
		message: glance.text(fields['message']),
		tree: glance.text(fields['tree']),
		parents: glance.texts(fields['parents']),
		signature: glance.maybe(fields['signature'], signature),
	});
	const readKnown = (fields: Readonly<Record<string, unknown>>): Commit => {
		glance.only(commitFields, fields);
		return read(fields);
	};
	return hot((value) => glance.at(value, readKnown), slowCommit);
}

const slowCommit = decoder(commit);

function signerReader(glance: Glance): (value: unknown) => Signer {
	let last: Signer | undefined;
	return (value) => {
		const fields = glance.fields(value);
		const name = glance.text(fields['name']);
		const email = glance.text(fields['email']);
		if (last?.name !== name || last.email !== email) {
			last = { name, email };
		}
		return last;
	};
}
