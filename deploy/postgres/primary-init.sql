-- Run once by the image when the primary's volume is empty. The service owns its database and nothing else.
\getenv store_password STORE_PASSWORD
\getenv replication_password REPLICATION_PASSWORD
CREATE ROLE triptych LOGIN PASSWORD :'store_password';
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'replication_password';
CREATE DATABASE triptych OWNER triptych;
