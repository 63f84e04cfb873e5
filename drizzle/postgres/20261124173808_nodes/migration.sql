ALTER TABLE "installation" ADD COLUMN "evidence_fingerprint" text COLLATE "C";
ALTER TABLE "scans" ADD COLUMN "requests" bigint DEFAULT 0 NOT NULL;
CREATE INDEX "scans_unfinished" ON "scans" ("id") WHERE "finished_at" is null;

-- What only several nodes need. They do work by the clock once in all: whoever holds it says until when.
CREATE TABLE "clock_work" (
	"name" text COLLATE "C" PRIMARY KEY,
	"due_at" bigint NOT NULL,
	"holder" text COLLATE "C" NOT NULL,
	"held_until" bigint NOT NULL,
	"finished_at" bigint
);

-- Token buckets that all nodes share. A crash of the server empties the table, which is to say that it fills them.
CREATE UNLOGGED TABLE "rate_limits" (
	"bucket" text COLLATE "C",
	"license_id" bigint,
	"capacity" bigint NOT NULL,
	"full_at" bigint NOT NULL,
	"granted" bigint NOT NULL,
	CONSTRAINT "rate_limits_pkey" PRIMARY KEY("bucket","license_id")
) WITH (fillfactor = 50);

-- The vulnerability data as whoever imported it laid it into a file, in pieces of base64. Each node lays a copy of its own.
CREATE TABLE "snapshot_chunks" (
	"snapshot_id" text COLLATE "C",
	"position" bigint,
	"chunk" text COLLATE "C" NOT NULL,
	CONSTRAINT "snapshot_chunks_pkey" PRIMARY KEY("snapshot_id","position")
);
