CREATE TABLE "signing_keys" (
	"kid" text COLLATE "C" PRIMARY KEY,
	"purpose" text COLLATE "C" NOT NULL,
	"public_key" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"active_from" bigint NOT NULL,
	"revoked_at" bigint
);
