import * as v from 'valibot';
import { visibilities } from '../../port/visibility.ts';
import type { Artifact, Reference, Repository } from '../../port/repository.ts';
import { wordOf } from '../../port/word.ts';
import { timestamp } from '../../answers/timestamp.ts';
import { id } from './tracker.ts';
import { shortUser } from './user.ts';
import { extraOf } from './extra.ts';

const repositoryFields = {
	id,
	created: timestamp,
	updated: v.nullish(timestamp),
	name: v.string(),
	owner: v.nullish(shortUser),
	subject: v.nullish(v.string()),
	description: v.nullish(v.string()),
	visibility: v.string(),
};

/** Repository resource (docs/protocol.md#repository-fields). Later servers may write the visibility in capitals. */
export const repository = v.pipe(
	v.looseObject(repositoryFields),
	v.transform((wire): Repository => ({
		id: wire.id,
		createdMs: wire.created,
		updatedMs: wire.updated ?? undefined,
		name: wire.name,
		owner: wire.owner ?? undefined,
		subject: wire.subject ?? undefined,
		description: wire.description ?? undefined,
		visibility: wordOf(visibilities, wire.visibility.toLowerCase()),
		...extraOf(wire, repositoryFields),
	})),
);

/** A file of a tag (docs/protocol.md#references). */
const artifact = v.pipe(
	v.object({
		created: v.nullish(timestamp),
		checksum: v.nullish(v.string()),
		size: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
		filename: v.string(),
		url: v.string(),
	}),
	v.transform(({ created, checksum, size, filename, url }): Artifact => ({
		filename,
		createdMs: created ?? undefined,
		sizeBytes: size,
		checksum: checksum ?? undefined,
		url,
	})),
);

const referenceFields = { name: v.string(), target: v.string(), artifacts: v.nullish(v.array(artifact)) };

/** Reference resource (docs/protocol.md#references). */
export const reference = v.pipe(
	v.looseObject(referenceFields),
	v.transform((wire): Reference => ({
		name: wire.name,
		target: wire.target,
		...(wire.artifacts?.length ? { artifacts: wire.artifacts } : {}),
		...extraOf(wire, referenceFields),
	})),
);
