import type { ContentArea } from 'sourcehut/port/instance.ts';
import type { Connection, Connections } from '../../store/connection.ts';

/** The accounts whose forge has the area. Other accounts hide the area. */
export function withArea(connections: Connections, area: ContentArea): Connections {
	return only(connections, ({ instance }) => instance.areas[area] !== undefined);
}

/** Without mail archives. */
export function withoutArchives(connections: Connections): Connections {
	return only(connections, ({ instance }) => instance.archiveUrl === undefined);
}

function only(connections: Connections, has: (connection: Connection) => boolean): Connections {
	return {
		all: () => connections.all().filter(has),
		byKey(key) {
			const connection = connections.byKey(key);
			return connection && has(connection) ? connection : undefined;
		},
		onDidChange: connections.onDidChange,
	};
}
