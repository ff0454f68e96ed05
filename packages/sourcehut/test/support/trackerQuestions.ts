import { buildSchema, graphqlSync } from 'graphql';
import * as v from 'valibot';
import { below } from 'sourcehut/graphql/transport/operations.ts';
import type { Operation } from 'sourcehut/graphql/transport/operations.ts';
import { documentWith } from './writtenDocument.ts';
import {
	graphqlServer,
	type Answered,
	type AskedQuery,
	type GraphqlServer,
} from '../../../../test/support/graphqlServer.ts';

const schema = buildSchema(`
	type Query { tracker(name: String!): Tracker  version: String! }
	type Tracker { id: Int! name: String! label(id: Int!): Label tickets(cursor: String): [Int!]! }
	type Label { id: Int! }
`);

/** A service of the reference implementation with one tracker, `demo`. */
const rootValue = {
	version: '0.0.0',
	tracker({ name }: { readonly name: string }) {
		if (name === 'secret') {
			throw new Error('Access denied');
		}
		return name === 'demo'
			? { id: 7, name, label: ({ id }: { readonly id: number }) => ({ id }), tickets: () => [3, 2, 1] }
			: null;
	},
};

/** Answers of the service. */
export function executed({ query, variables }: AskedQuery): Answered {
	const { data = null, errors = [] } = graphqlSync({ schema, rootValue, source: query, variableValues: variables });
	return { data, errors: errors.map(({ message, path }) => ({ message, path })) };
}

/** The service, or one with other answers. */
export function serve(answer: (asked: AskedQuery) => Answered = executed): GraphqlServer {
	return graphqlServer(answer, { takesSeveral: true });
}

export const reading = { area: 'todo', scope: 'tickets:read' } as const;

/** The number of a tracker. */
export const tracker: Operation<number | undefined> = {
	...reading,
	document: documentWith('query', 'Tracker', [['tracker(name: $name String!): Tracker', 'id']]),
	read: below(['tracker', 'id'], v.number()),
};

export const label: Operation<number | undefined> = {
	...reading,
	document: documentWith('query', 'Label', [
		['tracker(name: $name String!): Tracker', ['label(id: $id Int!): Label', 'id']],
	]),
	read: below(['tracker', 'label', 'id'], v.number()),
};
